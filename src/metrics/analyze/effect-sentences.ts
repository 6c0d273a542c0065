import type { Analysis, AnalysisTerm } from '../../contracts/analysis.ts';
import {
  equalsP,
  hundredthsOf,
  rangeOf,
  percentOf as share,
  signedHundredthsOf,
  significantOf,
} from '../../contracts/numbers.ts';
import type { Design } from './design.ts';

/** A term for people: what differs from zero by rounding alone, beside its standard error, is shown as zero. */
export function withoutRounding(term: AnalysisTerm): AnalysisTerm {
  const noise = 1e-10 * (term.se ?? 0);
  const tidy = <T extends number | null>(value: T) => (value !== null && Math.abs(value) < noise ? 0 : value) as T;
  const bootstrap = term.bootstrap && {
    ...term.bootstrap,
    se: tidy(term.bootstrap.se),
    ci: [tidy(term.bootstrap.ci[0]), tidy(term.bootstrap.ci[1])] as [number, number],
  };
  const estimate = tidy(term.estimate);
  return {
    ...term,
    estimate,
    statistic: estimate === 0 && noise > 0 ? 0 : term.statistic,
    ...(bootstrap && { bootstrap }),
  };
}

interface OutcomeScale {
  readonly name: string;
  readonly family: Analysis['family'];
  /** The outcome is a fraction, told in points of a hundred. */
  readonly points: boolean;
}

/** One sentence per coefficient that is told from zero at 5 %, and one for the reference. */
export function effectSentences(terms: readonly AnalysisTerm[], design: Design, outcome: OutcomeScale): string[] {
  const lines: string[] = [];
  for (const term of terms) {
    if (term.infinite) {
      const way = term.infinite === '+' ? 'upwards' : 'downwards';
      lines.push(`${term.term}: the estimate grows ${way} without limit (separation), so its size cannot be told.`);
      continue;
    }
    if (term.estimate === null || term.p === null || term.ci === null) continue;
    if (term.term === 'Intercept') lines.push(interceptSentence(term, design, outcome));
    else if (term.p <= 0.05) lines.push(effectSentence(term, design, outcome));
  }
  return lines;
}

function interceptSentence(
  { estimate, ci }: AnalysisTerm,
  design: Design,
  { name, family, points }: OutcomeScale,
): string {
  const place = design.factors
    .filter(({ levels }) => levels.length > 1)
    .map((factor) => `${factor.name} ${factor.levels[0]}`);
  const where = place.length ? `At the reference (${place.join(', ')})` : 'With all variables at zero';
  const [low, high] = ci as [number, number];
  const value = estimate as number;
  if (family === 'binomial')
    return `${where} the fitted share is ${share(logistic(value))} (${rangeOf([logistic(low), logistic(high)], share)}).`;
  if (family === 'poisson')
    return `${where} the fitted count is ${significantOf(Math.exp(value))} (${significantOf(Math.exp(low))} to ${significantOf(Math.exp(high))}).`;
  if (points) return `${where} the fitted ${name} is ${share(value)} (${share(low)} to ${share(high)}).`;
  return `${where} the fitted ${name} is ${significantOf(value)} (${significantOf(low)} to ${significantOf(high)}).`;
}

function effectSentence(term: AnalysisTerm, design: Design, outcome: OutcomeScale): string {
  const estimate = term.estimate as number;
  const [low, high] = term.ci as [number, number];
  const certainty = `(95 % interval ${range([low, high], outcome)}, ${equalsP(term.p as number)} ${term.stars})`;
  const levels = design.factors.flatMap((factor) =>
    factor.levels.map((level) => ({ factor, level, name: `${factor.name}[${level}]` })),
  );
  const main = levels.find(({ name }) => name === term.term);
  const change = changeWords(estimate, outcome);
  if (main && design.intercept)
    return `${main.factor.name} ${main.level}: ${change} than with ${main.factor.levels[0]}, all else equal ${certainty}.`;
  if (main) return `${main.factor.name} ${main.level}: fitted at ${significantOf(estimate)} ${certainty}.`;
  if (term.term.includes(':') && !design.names.every((name) => name !== term.term) && isProduct(term.term, design))
    return `${term.term}: together they make ${outcome.name} ${change} than their separate effects would ${certainty}.`;
  return `One more of ${term.term}: ${change}, all else equal ${certainty}.`;
}

const isProduct = (name: string, design: Design): boolean =>
  design.terms.some((term) => term.variables.length > 1 && term.columns.some((j) => design.names[j] === name));

function changeWords(estimate: number, { name, family, points }: OutcomeScale): string {
  if (family === 'binomial') return `the odds of success are ${significantOf(Math.exp(estimate), 3)} times as high`;
  if (family === 'poisson') return `${name} is ${significantOf(Math.exp(estimate), 3)} times as high`;
  const direction = estimate < 0 ? 'lower' : 'higher';
  if (points) return `${name} is ${hundredthsOf(Math.abs(estimate))} points ${direction}`;
  return `${name} is ${significantOf(Math.abs(estimate))} ${direction}`;
}

function range([low, high]: readonly [number, number], { family, points }: OutcomeScale): string {
  if (family !== 'gaussian') return `${significantOf(Math.exp(low), 3)} to ${significantOf(Math.exp(high), 3)}`;
  if (points) return rangeOf([low, high], signedHundredthsOf);
  return `${significantOf(low)} to ${significantOf(high)}`;
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
