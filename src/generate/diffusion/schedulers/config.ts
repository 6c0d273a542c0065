import { z } from 'zod';
import { expected } from '../../../contracts/errors.ts';

const spacing = z.enum(['leading', 'trailing', 'linspace']);

/** `scheduler/scheduler_config.json` as diffusers writes it; what a class leaves out has that class's default. */
const schedulerConfigSchema = z.object({
  num_train_timesteps: z.number().int().positive().default(1000),
  beta_start: z.number().positive().default(0.0001),
  beta_end: z.number().positive().default(0.02),
  beta_schedule: z.enum(['linear', 'scaled_linear', 'squaredcos_cap_v2']).default('linear'),
  trained_betas: z.array(z.number()).nullish(),
  prediction_type: z.enum(['epsilon', 'v_prediction', 'sample']).default('epsilon'),
  timestep_spacing: spacing.optional(),
  steps_offset: z.number().int().min(0).default(0),
  rescale_betas_zero_snr: z.boolean().default(false),
  clip_sample: z.boolean().optional(),
  clip_sample_range: z.number().positive().default(1),
  thresholding: z.literal(false).default(false),
  set_alpha_to_one: z.boolean().default(true),
  variance_type: z.enum(['fixed_small', 'fixed_small_log', 'fixed_large']).default('fixed_small'),
  use_karras_sigmas: z.boolean().nullish(),
  final_sigmas_type: z.enum(['zero', 'sigma_min']).default('zero'),
  algorithm_type: z.literal('dpmsolver++').default('dpmsolver++'),
  solver_order: z.union([z.literal(1), z.literal(2)]).default(2),
  solver_type: z.enum(['midpoint', 'heun']).default('midpoint'),
  lower_order_final: z.boolean().default(true),
  euler_at_final: z.boolean().default(false),
  original_inference_steps: z.number().int().positive().default(50),
  timestep_scaling: z.number().positive().default(10),
});
export type SchedulerConfig = z.infer<typeof schedulerConfigSchema>;

export function parseSchedulerConfig(json: unknown, file: string): SchedulerConfig {
  const parsed = schedulerConfigSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue.path.join('.');
  throw expected(
    issue.message.replace(/^Invalid (option|input): expected /, ''),
    `${field} in ${file}`,
    (json as Record<string, unknown> | null)?.[field],
  );
}
