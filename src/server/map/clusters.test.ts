import { describe, expect, it } from 'vitest';
import { insidePolygon } from '../../contracts/explore/polygon.ts';
import { clusterFailures } from '../../stats/cluster-failures.ts';
import { clusterShares } from '../../stats/cluster-shares.ts';
import { randomFor } from '../../stats/random.ts';

/** Photographs with a difficulty of their own, some variants each; `harder` multiplies failure in cluster 0. */
function simulate(seed: number, harder: number, photographs = 80, each = 12) {
  const random = randomFor('cluster failures', seed);
  const [fails, sample, cluster]: number[][] = [[], [], []];
  for (let s = 0; s < photographs; s++) {
    const difficulty = 0.1 + 0.2 * random.uniform();
    for (let v = 0; v < each; v++) {
      const own = random.uniform() < 0.2 ? 0 : 1;
      const chance = difficulty * (own === 0 ? harder : 1);
      fails.push(
        Array.from({ length: 5 }, () => (random.uniform() < chance ? 1 : 0) as number).reduce((a, b) => a + b) / 5,
      );
      sample.push(s);
      cluster.push(own);
    }
  }
  return clusterFailures({ fails, sample, cluster }, 2);
}

describe('how much more often models fail in a cluster', () => {
  it('is found where it is so', () => {
    const [hard, easy] = simulate(1, 2);
    expect(hard.ratio).toBeGreaterThan(1.6);
    expect(hard.ratio).toBeLessThan(2.5);
    expect(hard.ci?.[0]).toBeGreaterThan(1.2);
    expect(hard.pHolm).toBeLessThan(0.001);
    expect(easy.ratio).toBeCloseTo(1 / (hard.ratio as number), 12);
    expect(hard.pHolm).toBeGreaterThanOrEqual(hard.p as number);
  });

  it('is claimed about once in twenty where it is not so', () => {
    const ps = Array.from({ length: 400 }, (_, seed) => simulate(seed + 10, 1, 40, 8)[0].p as number);
    const claimed = ps.filter((p) => p < 0.05).length / ps.length;
    // 99.9 % of binomial draws of 400 at 5 % lie between 1.75 % and 9 %.
    expect(claimed).toBeGreaterThan(0.0175);
    expect(claimed).toBeLessThan(0.09);
  });

  it('holds the interval that it promises', () => {
    const held = Array.from({ length: 300 }, (_, seed) => simulate(seed + 1000, 1.5, 40, 8)[0].ci as [number, number]);
    const share = held.filter(([low, high]) => low <= 1.5 && high >= 1.5).length / held.length;
    expect(share).toBeGreaterThan(0.9);
    expect(share).toBeLessThan(0.99);
  });

  it('is not known of one photograph, or where nothing fails', () => {
    expect(clusterFailures({ fails: [1, 1, 0, 1], sample: [0, 0, 1, 2], cluster: [0, 0, 1, 1] }, 2)[0].p).toBeNull();
    const none = clusterFailures({ fails: [0, 0, 0, 0], sample: [0, 1, 2, 3], cluster: [0, 0, 1, 1] }, 2);
    expect(none.every(({ ratio, pHolm }) => ratio === null && pHolm === null)).toBe(true);
  });
});

describe('what a cluster shares', () => {
  const cluster = Array.from({ length: 200 }, (_, i) => (i < 40 ? 0 : 1));
  it('is named, with photographs counted once', () => {
    const values = cluster.map((c, i) => (c === 0 ? 'cat' : i % 2 ? 'dog' : 'bird'));
    const countedBy = cluster.map((_, i) => i);
    const [own] = clusterShares([{ of: 'class', values, countedBy }], cluster, 2);
    expect(own).toEqual([{ of: 'class', value: 'cat', share: 1, usual: 0.2, q: expect.any(Number) }]);
    expect(own[0].q).toBeLessThan(1e-20);
    // Forty variants of one photograph say no more than one.
    const onePhotograph = cluster.map((c, i) => (c === 0 ? 1000 : i));
    expect(clusterShares([{ of: 'class', values, countedBy: onePhotograph }], cluster, 2)[0]).toEqual([]);
  });

  it('is nothing where labels are drawn by chance', () => {
    const random = randomFor('shares');
    const values = cluster.map(() => random.pick(['a', 'b', 'c', 'd']));
    const found = clusterShares([{ of: 'class', values, countedBy: cluster.map((_, i) => i) }], cluster, 2);
    expect(found).toEqual([[], []]);
  });
});

describe('a line around points', () => {
  it('holds what lies inside, concave parts left out', () => {
    const inside = insidePolygon('0,0,4,0,4,4,2,1,0,4');
    expect([inside(1, 0.5), inside(2, 0.5), inside(2, 3), inside(5, 1), inside(-1, 1)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
  it.each(['1,2', '1,2,3,4', '1,2,3,4,5', 'a,b,c,d,e,f', '1,2,3,4,5,Infinity'])('refuses %s', (text) => {
    expect(() => insidePolygon(text)).toThrow('three points or more');
  });
});
