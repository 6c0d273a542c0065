// How often does the interval of the robustness score hold the truth? Prints the table of docs/scores.md.
// node scripts/simulate-robustness.mjs [REPLICATES=500] [SEED=1] [IMAGES=60,120,240,1000]
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsdown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, '.cache', 'simulate');
mkdirSync(out, { recursive: true });
await build({
  entry: { simulate: join(root, 'src/metrics/robustness/simulate.ts') },
  outDir: out,
  format: 'esm',
  platform: 'node',
  dts: false,
  config: false,
  clean: false,
  logLevel: 'silent',
  fixedExtension: true,
});
const { simulateCoverage } = await import(pathToFileURL(join(out, 'simulate.mjs')).href);

const replicates = Number(process.argv[2] ?? 500);
const seed = Number(process.argv[3] ?? 1);
const sizes = (process.argv[4] ?? '60,120,240,1000').split(',').map(Number);

const paper = [0.0425, 0.07, 0.1257, 0.0985, 0.0652, 0.087, 0.7078, 0.3012];
const repeat = (pattern, count) => Array.from({ length: count }, (_, i) => pattern[i % pattern.length]);
const shapes = {
  'no drop': (count) => repeat([0], count),
  'all 2 points': (count) => repeat([0.02], count),
  'all 10 points': (count) => repeat([0.1], count),
  'all 60 points': (count) => repeat([0.6], count),
  'half 0, half 10': (count) => repeat([0, 0.1], count),
  'gains and losses (−2, 3, 5, 0)': (count) => repeat([-0.02, 0.03, 0.05, 0], count),
  'one of 30 points': (count) => [0.3, ...repeat([0], count - 1)],
  "XIMAGENET-12's": (count) => repeat(paper, count),
};

console.log(
  `${replicates} replicates, seed ${seed}; 8 and 14 scenarios × correlation 0.3, 0.7, 0.95 × accuracy 0.80, 0.95`,
);
console.log(`| true drops | ${sizes.map((n) => `${n} images`).join(' | ')} |`);
console.log(`| --- |${' --- |'.repeat(sizes.length)}`);
const all = [];
for (const [name, drops] of Object.entries(shapes)) {
  const cells = sizes.map((images) => {
    const covered = [];
    for (const scenarios of [8, 14])
      for (const correlation of [0.3, 0.7, 0.95])
        for (const accuracy of [0.8, 0.95])
          covered.push(
            simulateCoverage(
              { images, accuracy, drops: drops(scenarios), correlation },
              { replicates, seed: seed * 1000 + covered.length },
            ).covered,
          );
    all.push(...covered);
    return summary(covered);
  });
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
const innerCells = sizes.map((images) => {
  const covered = [0.3, 0.7, 0.95].map(
    (correlation, i) =>
      simulateCoverage(
        { images, accuracy: 0.95, drops: paper, innerDrops: repeat([0.12, 0.15, 0.11, 0.4], 8), correlation },
        { replicates, seed: seed * 1000 + 500 + i },
      ).covered,
  );
  all.push(...covered);
  return summary(covered);
});
console.log(`| XIMAGENET-12's with inner | ${innerCells.join(' | ')} |`);
const byClass = [];
for (const spread of [0.3, 0.6])
  for (const drops of [repeat([0], 8), repeat([0.02], 8), repeat([0.1], 8), paper])
    byClass.push(
      simulateCoverage(
        { images: 240, accuracy: 0.9, drops, correlation: 0.5, classes: { count: 12, spread } },
        { replicates, seed: seed * 1000 + 700 + byClass.length },
      ).covered,
    );
const inside = all.filter((covered) => covered >= 0.93 && covered <= 0.97).length;
console.log(
  `\n${inside} of ${all.length} designs between 93 and 97 %, mean ${percent(all.reduce((a, b) => a + b) / all.length)} %`,
);

console.log(`classesCi, 12 classes of 20 images that differ: ${summary(byClass)} over ${byClass.length} designs`);

const issue = simulateCoverage(
  { images: 240, accuracy: 0.9, drops: repeat([0.02], 8), correlation: 0.6 },
  { replicates: replicates * 4, seed },
);
console.log(
  `240 images, 8 drops of 2 points: true cross ${(1 - issue.truth).toExponential(2)}, plug-in ${(1 - issue.meanScore).toExponential(2)}, debiased ${(1 - issue.meanDebiased).toExponential(2)}, covered ${percent(issue.covered)} %`,
);

function percent(share) {
  return (100 * share).toFixed(1);
}
function summary(covered) {
  const mean = covered.reduce((a, b) => a + b) / covered.length;
  return `${percent(mean)} (${percent(Math.min(...covered))}–${percent(Math.max(...covered))})`;
}
