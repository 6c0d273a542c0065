import { z } from 'zod';

const interval = z.tuple([z.number(), z.number()]);
const test = z.object({ statistic: z.number().nullable(), p: z.number().nullable(), reason: z.string().optional() });

export const starMarks = ['ns', '*', '**', '***', '****'] as const;

/** One coefficient. Null where it has no value: an exact fit, no degrees of freedom, an infinite estimate. */
export const analysisTermSchema = z.object({
  /** `Intercept`, `variable[level]` or `a[x]:b[y]`. */
  term: z.string(),
  estimate: z.number().nullable(),
  se: z.number().nullable(),
  /** t, or z for Poisson and binomial; signed. */
  statistic: z.number().nullable(),
  p: z.number().nullable(),
  stars: z.enum(starMarks).nullable(),
  ci: interval.nullable(),
  /** Error and interval from resampling images; where the table has one row per answer. */
  bootstrap: z.object({ se: z.number(), ci: interval }).optional(),
  /** The estimate grows without limit in this direction: separation. */
  infinite: z.enum(['+', '-']).optional(),
});
export type AnalysisTerm = z.infer<typeof analysisTermSchema>;

const errorsSchema = z.object({
  kind: z.enum(['classical', 'hc0', 'hc1', 'hc2', 'hc3', 'cluster']),
  /** Column the clusters come from. */
  by: z.string().optional(),
  clusters: z.number().int().optional(),
  distribution: z.enum(['t', 'normal']),
  df: z.number().nullable(),
  level: z.number(),
});

const comparisonSchema = z.object({
  formula: z.string(),
  df: z.number(),
  /** F for least squares, χ² of the deviances else; null where the models are not nested. */
  test: z
    .object({
      kind: z.enum(['F', 'χ²']),
      statistic: z.number(),
      df1: z.number(),
      df2: z.number().nullable(),
      p: z.number(),
    })
    .nullable(),
  reason: z.string().optional(),
  aicc: z.number().nullable(),
  /** AICc of the other formula minus this one's; positive speaks for this one. */
  deltaAicc: z.number().nullable(),
});

/** `analyze --json`; fixed, more fields may be added. */
export const analysisSchema = z.object({
  formula: z.string(),
  family: z.enum(['gaussian', 'poisson', 'binomial']),
  /** Rows, or answers for a binomial model per image. */
  n: z.number().int(),
  /** n − coefficients. */
  df: z.number().int(),
  terms: z.array(analysisTermSchema),
  errors: errorsSchema,
  r2: z.number().nullable(),
  adjR2: z.number().nullable(),
  multipleR: z.number().nullable(),
  /** √(SS/df) */
  syx: z.number().nullable(),
  /** √(SS/n) */
  rmse: z.number().nullable(),
  ss: z.object({ model: z.number(), residual: z.number(), total: z.number() }).nullable(),
  f: z
    .object({ statistic: z.number().nullable(), df1: z.number(), df2: z.number(), p: z.number().nullable() })
    .nullable(),
  /** Least squares: n·ln(SS/n) + 2K + 2K(K+1)/(n−K−1), K coefficients plus one. Else −2 ln L + the same terms, K coefficients. */
  aicc: z.number().nullable(),
  normality: z.object({ dagostino: test, anderson: test, shapiro: test, lilliefors: test }).nullable(),
  vif: z.record(z.string(), z.object({ gvif: z.number().nullable(), adjusted: z.number().nullable() })),
  /** Poisson and binomial. */
  deviance: z
    .object({
      residual: z.number(),
      null: z.number(),
      df: z.number(),
      dfNull: z.number(),
      aic: z.number(),
      logLikelihood: z.number(),
      mcfadden: z.number().nullable(),
      /** Pearson χ² over its degrees of freedom; null for single answers, where it says nothing. */
      dispersion: z.number().nullable(),
      iterations: z.number(),
      converged: z.boolean(),
      separation: z.enum(['none', 'complete', 'quasi']),
    })
    .optional(),
  /** Terms that are combinations of others. */
  aliased: z.array(z.string()),
  emptyCells: z.object({ count: z.number(), cells: z.array(z.string()) }),
  references: z.record(z.string(), z.string()),
  /** Of the estimates; null where there are more than 200. */
  correlation: z.object({ terms: z.array(z.string()), matrix: z.array(z.array(z.number().nullable())) }).nullable(),
  anova: z.array(
    z.object({
      term: z.string(),
      df: z.number(),
      ss: z.number().nullable(),
      statistic: z.number().nullable(),
      p: z.number().nullable(),
    }),
  ),
  /** Share of what the model explains, by term; adds up to one. */
  shares: z.array(z.object({ term: z.string(), share: z.number(), ci: interval.nullable() })).nullable(),
  bootstrap: z
    .object({ cluster: z.string(), clusters: z.number(), replicates: z.number(), seed: z.number() })
    .nullable(),
  breuschPagan: z.object({ statistic: z.number(), df: z.number(), p: z.number() }).nullable(),
  durbinWatson: z.object({ statistic: z.number(), order: z.string() }).nullable(),
  /** Rows that stand out; `row` counts from 1 in the fitted table. */
  influence: z
    .array(
      z.object({
        row: z.number(),
        name: z.string(),
        residual: z.number(),
        leverage: z.number(),
        cooks: z.number().nullable(),
      }),
    )
    .nullable(),
  /** Points of the four plots; thinned evenly above 5000. `order` only where the order of the rows means something. */
  plots: z
    .object({
      fitted: z.array(z.number()),
      residual: z.array(z.number()),
      absResidual: z.array(z.number()),
      leverage: z.array(z.number()),
      /** Null at leverage 1. */
      cooks: z.array(z.number().nullable()),
      qq: z.object({ expected: z.array(z.number()), observed: z.array(z.number()) }),
      order: z.array(z.number()).nullable(),
    })
    .nullable(),
  comparison: comparisonSchema.nullable(),
  sentences: z.array(z.string()),
  caveats: z.array(z.string()),
  notes: z.array(z.string()),
});
export type Analysis = z.infer<typeof analysisSchema>;
