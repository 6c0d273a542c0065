import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { transferModel } from './transfer-model.ts';

const reference = JSON.parse(
  readFileSync(new URL('../../test/fixtures/mine/transfer.json', import.meta.url), 'utf8'),
) as {
  size: number[];
  brightness: number[];
  nuisance: string[];
  wrong: number[][];
  terms: { term: string; estimate: number; se: number }[];
};

it("which features make a failure transfer: statsmodels' logistic regression with clustered errors", () => {
  const features = reference.size.map((size, i) => ({
    numbers: { size, brightness: reference.brightness[i] },
    words: { nuisance: reference.nuisance[i] },
  }));
  const terms = transferModel(
    features,
    reference.wrong.map((wrong) => Uint8Array.from(wrong)),
  );
  expect(terms.map(({ term }) => term)).toEqual(reference.terms.slice(1).map(({ term }) => term));
  for (const [k, { oddsRatio, ci }] of terms.entries()) {
    const { estimate, se } = reference.terms[k + 1];
    expect(Math.log(oddsRatio)).toBeCloseTo(estimate, 8);
    expect((Math.log(ci[1]) - Math.log(ci[0])) / 2 / 1.959963984540054).toBeCloseTo(se, 8);
  }
});
