import { exitCodes, SampleError, UserError } from '../contracts/errors.ts';
import { type ErrorLine, errorLineSchema } from '../contracts/prediction.ts';

export interface ErrorBudget {
  readonly lines: ErrorLine[];
  /** Throws once more samples have failed than allowed. */
  add(lines: readonly ErrorLine[]): void;
}

/** Counts samples that could not be used; more than `maxShare` of them means that something is wrong with the whole. */
export function createErrorBudget(samples: number, maxShare: number): ErrorBudget {
  const lines: ErrorLine[] = [];
  const failed = new Set<string>();
  const told = new Set<string>();
  return {
    lines,
    add(more) {
      for (const line of more) {
        failed.add(line.sample);
        // Of a sample whose answers are had in two parts, both say what is wrong with it.
        const text = JSON.stringify(line);
        if (told.has(text)) continue;
        told.add(text);
        lines.push(errorLineSchema.parse(line));
      }
      if (failed.size <= maxShare * samples) return;
      const reasons = [...new Set(lines.map((line) => line.message))];
      throw new UserError(
        `${failed.size} of ${samples} samples failed, more than --max-errors ${maxShare} allows: ${reasons.slice(0, 3).join(' · ')}${
          reasons.length > 3 ? ` · and ${reasons.length - 3} more reasons` : ''
        }`,
        { exitCode: exitCodes.failed },
      );
    },
  };
}

export interface SampleErrors {
  /** A function, not a getter, for the sake of memory: see `scenarios/scene.ts`. */
  lines(): ErrorLine[];
  /** Runs `act` and notes an error that is the sample's fault; any other error is thrown on. */
  during(where: { scenario?: string; model?: string }, act: () => void | Promise<void>): Promise<void>;
}

/**
 * The lines of one sample. What fails again with the very same error (a photograph that cannot be read, a mask that is
 * empty) failed because of the sample, not of the scenario: one line is enough.
 */
export function collectErrors(sample: string): SampleErrors {
  // Made for every answer, and hardly ever needed.
  let lines: Map<unknown, ErrorLine> | undefined;
  return {
    lines: () => (lines ? [...lines.values()] : []),
    async during(where: { scenario?: string; model?: string }, act: () => void | Promise<void>): Promise<void> {
      try {
        await act();
      } catch (error) {
        const line = errorLine(error, { sample, ...where });
        lines ??= new Map();
        const ofMask = error instanceof SampleError && error.problem.startsWith('mask-');
        lines.set(error, lines.has(error) || ofMask ? { ...line, scenario: undefined, model: undefined } : line);
      }
    },
  };
}

/** The line for what went wrong with a sample; anything that is not the sample's fault is thrown on. */
function errorLine(error: unknown, where: { sample: string; scenario?: string; model?: string }): ErrorLine {
  if (!(error instanceof SampleError)) throw error;
  return { ...where, file: error.file, problem: error.problem, message: error.message };
}
