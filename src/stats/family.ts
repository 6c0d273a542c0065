import { binomialLogPmf } from './binomial.ts';
import { logGamma } from './log-gamma.ts';

export const familyNames = ['poisson', 'binomial'] as const;
export type FamilyName = (typeof familyNames)[number];

/** A generalised linear model's distribution with its canonical link. `w`: prior weight, for proportions the trials. */
export interface Family {
  readonly name: FamilyName;
  readonly link: 'log' | 'logit';
  start(y: number, w: number): number;
  linkOf(mean: number): number;
  meanOf(eta: number): number;
  /** Variance of y at the mean, which for a canonical link is also dμ/dη. */
  slope(eta: number): number;
  deviance(y: number, mean: number, eta: number): number;
  logLikelihood(y: number, w: number, mean: number, eta: number): number;
}

/** ln(1 + eˣ) at any x. */
const softplus = (x: number): number => (x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x)));

const binomial: Family = {
  name: 'binomial',
  link: 'logit',
  start: (y, w) => (w * y + 0.5) / (w + 1),
  linkOf: (mean) => Math.log(mean / (1 - mean)),
  meanOf: (eta) => 1 / (1 + Math.exp(-eta)),
  slope: (eta) => {
    const e = Math.exp(-Math.abs(eta));
    return e / (1 + e) ** 2;
  },
  // ln μ = −softplus(−η), ln(1−μ) = −softplus(η): no 1 − μ anywhere.
  deviance: (y, _, eta) => {
    const saturated = (y > 0 ? y * Math.log(y) : 0) + (y < 1 ? (1 - y) * Math.log1p(-y) : 0);
    return 2 * (saturated + y * softplus(-eta) + (1 - y) * softplus(eta));
  },
  logLikelihood: (y, w, mean, eta) => {
    const successes = Math.round(w * y);
    if (Math.round(w) === 1) return successes ? -softplus(-eta) : -softplus(eta);
    return binomialLogPmf(successes, Math.round(w), mean);
  },
};

const poisson: Family = {
  name: 'poisson',
  link: 'log',
  start: (y) => y + 0.1,
  linkOf: Math.log,
  meanOf: Math.exp,
  slope: Math.exp,
  deviance: (y, mean) => 2 * ((y > 0 ? y * Math.log(y / mean) : 0) - (y - mean)),
  logLikelihood: (y, w, mean, eta) => w * (y * eta - mean - logGamma(y + 1)),
};

export const families: Record<FamilyName, Family> = { binomial, poisson };
