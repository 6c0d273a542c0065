type Interval = [number, number];

export const starMarks = ['ns', '*', '**', '***', '****'] as const;

/** One coefficient. Null where it has no value: an exact fit, no degrees of freedom, an infinite estimate. */
export interface AnalysisTerm {
  /** `Intercept`, `variable[level]` or `a[x]:b[y]`. */
  term: string;
  estimate: number | null;
  se: number | null;
  /** t, or z for Poisson and binomial; signed. */
  statistic: number | null;
  p: number | null;
  stars: (typeof starMarks)[number] | null;
  ci: Interval | null;
  /** Error and interval from resampling images; where the table has one row per answer. */
  bootstrap?: { se: number; ci: Interval };
  /** The estimate grows without limit in this direction: separation. */
  infinite?: '+' | '-';
}

interface CoefficientErrors {
  kind: 'classical' | 'hc0' | 'hc1' | 'hc2' | 'hc3' | 'cluster';
  /** Column the clusters come from. */
  by?: string;
  clusters?: number;
  distribution: 't' | 'normal';
  df: number | null;
  level: number;
}

interface NormalityTest {
  statistic: number | null;
  p: number | null;
  /** Why it was not made. */
  reason?: string;
}

/** Poisson and binomial. */
interface Deviance {
  residual: number;
  null: number;
  df: number;
  dfNull: number;
  aic: number;
  logLikelihood: number;
  mcfadden: number | null;
  /** Pearson χ² over its degrees of freedom; null for single answers, where it says nothing. */
  dispersion: number | null;
  iterations: number;
  converged: boolean;
  separation: 'none' | 'complete' | 'quasi';
}

/** Points of the four plots; thinned evenly above 5000. `order` only where the order of the rows means something. */
interface DiagnosticPlots {
  fitted: number[];
  residual: number[];
  absResidual: number[];
  leverage: number[];
  /** Null at leverage 1. */
  cooks: (number | null)[];
  qq: { expected: number[]; observed: number[] };
  order: number[] | null;
}

interface FormulaComparison {
  formula: string;
  df: number;
  /** F for least squares, χ² of the deviances else; null where the models are not nested. */
  test: { kind: 'F' | 'χ²'; statistic: number; df1: number; df2: number | null; p: number } | null;
  reason?: string;
  aicc: number | null;
  /** AICc of the other formula minus this one's; positive speaks for this one. */
  deltaAicc: number | null;
}

/** `analyze --json`; fixed, more fields may be added. */
export interface Analysis {
  formula: string;
  family: 'gaussian' | 'poisson' | 'binomial';
  /** Rows, or answers for a binomial model per image. */
  n: number;
  /** n − coefficients. */
  df: number;
  terms: AnalysisTerm[];
  errors: CoefficientErrors;
  r2: number | null;
  adjR2: number | null;
  multipleR: number | null;
  /** √(SS/df) */
  syx: number | null;
  /** √(SS/n) */
  rmse: number | null;
  ss: { model: number; residual: number; total: number } | null;
  f: { statistic: number | null; df1: number; df2: number; p: number | null } | null;
  /** Least squares: n·ln(SS/n) + 2K + 2K(K+1)/(n−K−1), K coefficients plus one. Else −2 ln L + the same terms, K coefficients. */
  aicc: number | null;
  normality: Record<'dagostino' | 'anderson' | 'shapiro' | 'lilliefors', NormalityTest> | null;
  vif: Record<string, { gvif: number | null; adjusted: number | null }>;
  deviance?: Deviance;
  /** Terms that are combinations of others. */
  aliased: string[];
  emptyCells: { count: number; cells: string[] };
  references: Record<string, string>;
  /** Of the estimates; null where there are more than 200. */
  correlation: { terms: string[]; matrix: (number | null)[][] } | null;
  anova: { term: string; df: number; ss: number | null; statistic: number | null; p: number | null }[];
  /** Share of what the model explains, by term; adds up to one. */
  shares: { term: string; share: number; ci: Interval | null }[] | null;
  bootstrap: { cluster: string; clusters: number; replicates: number; seed: number } | null;
  breuschPagan: { statistic: number; df: number; p: number } | null;
  durbinWatson: { statistic: number; order: string } | null;
  /** Rows that stand out; `row` counts from 1 in the fitted table. */
  influence: { row: number; name: string; residual: number; leverage: number; cooks: number | null }[] | null;
  plots: DiagnosticPlots | null;
  comparison: FormulaComparison | null;
  sentences: string[];
  caveats: string[];
  notes: string[];
}
