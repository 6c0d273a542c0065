import type { ErrorLine } from '../../contracts/prediction.ts';
import { terminalText } from '../../formats/escape.ts';

/** The samples that were left out, each with its reason; the first ones in full, the rest counted. */
export function printErrors(errors: readonly ErrorLine[], { most = 12 }: { most?: number } = {}): void {
  if (!errors.length) return;
  const lines = errors
    .slice(0, most)
    .map(
      ({ sample, scenario, model, message }) =>
        `  ✗ ${[sample, scenario, model].filter(Boolean).join(' · ')}: ${message}`,
    );
  const rest = errors.length > most ? [`  … and ${errors.length - most} more in errors.jsonl`] : [];
  process.stderr.write(terminalText(`${errors.length} left out:\n${[...lines, ...rest].join('\n')}\n`));
}
