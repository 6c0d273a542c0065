// Builds accuracy.csv: 5 models × 9 scenarios × 12 classes whose regression is the one printed in XIMAGENET-12's supplement
// (Fig. 9), read from printed.csv. The paper's own 540 accuracies were not published; but in a balanced design any
// residuals without main effects and of the right standard deviation give the same table. Run: node make.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const here = (name) => new URL(name, import.meta.url);
const residualSd = 0.106155;
const factors = {
  // Accuracies were given to 0.01, so a coefficient is a multiple of 0.01 over the rows behind a level.
  model: { reference: 'EfficientNetB0', step: 1 / 10800 },
  scenario: { reference: 'Original', step: 1 / 6000 },
  class: { reference: '0', step: 1 / 4500 },
};

const rows = readFileSync(here('printed.csv'), 'utf8').trim().split('\n').slice(1);
const printed = rows.map((line) => line.split(','));
const intercept = Number(printed.find(([term]) => term === 'Intercept')[1]);
const levels = Object.entries(factors).map(([variable, { reference, step }]) => [
  [reference, 0],
  ...printed
    .filter(([term]) => term.startsWith(`${variable}[`))
    .map(([term, estimate]) => [term.slice(variable.length + 1, -1), Math.round(Number(estimate) / step) * step]),
]);

// mulberry32 and Box–Muller: any normal numbers will do, as long as they are always the same ones.
let state = 12;
const uniform = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());

const cells = levels[0].flatMap((m) => levels[1].flatMap((s) => levels[2].map((c) => [m, s, c])));
const residuals = cells.map(normal);
for (const axis of [0, 1, 2]) {
  for (const level of levels[axis]) {
    const own = cells.flatMap((cell, i) => (cell[axis] === level ? [i] : []));
    const mean = own.reduce((sum, i) => sum + residuals[i], 0) / own.length;
    for (const i of own) residuals[i] -= mean;
  }
}
const df = cells.length - levels.reduce((sum, { length }) => sum + length - 1, 1);
const scale = (residualSd * Math.sqrt(df)) / Math.sqrt(residuals.reduce((sum, e) => sum + e * e, 0));
const lines = cells.map(([m, s, c], i) => {
  const accuracy = intercept + m[1] + s[1] + c[1] + scale * residuals[i];
  return [i + 1, m[0], s[0], c[0], accuracy].join(',');
});
writeFileSync(here('accuracy.csv'), `row,model,scenario,class,accuracy\n${lines.join('\n')}\n`);
