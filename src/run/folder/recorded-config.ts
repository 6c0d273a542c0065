import { type Config, configSchema } from '../../contracts/config.ts';
import type { RunRecord } from '../../contracts/run-record.ts';

/**
 * The settings of a run; undefined where it was made elsewhere, or by a version whose settings are no longer read.
 * Without its plugins: a run folder from elsewhere must not name code to run; `--plugin` does.
 */
export function recordedConfig(record: RunRecord): Config | undefined {
  const config = configSchema.safeParse(record.config).data;
  return config && { ...config, plugins: [] };
}
