/** Exit status of the command line. */
export const exitCodes = { done: 0, failed: 1, usage: 2, gate: 100, interrupted: 130 } as const;

/** A mistake in what the user gave (config, option, model, dataset): one line, no stack trace, exit status 2 unless told. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly exitCode: number;

  constructor(message: string, { exitCode = exitCodes.usage }: { exitCode?: number } = {}) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The one way to word a wrong value: what was expected, for what, what came, what to do.
 *
 * @example throw expected('a positive number', '--sigma', 'abc', 'write for instance --sigma 3');
 */
export function expected(what: string, name: string, received: unknown, hint?: string): UserError {
  return new UserError(`Expected ${what} for ${name} but received ${show(received)}${hint ? `; ${hint}` : ''}`);
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  // JSON has neither NaN nor infinity, and would say null.
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

/** Why one sample could not be used; the stable word behind the sentence. */
export const sampleProblems = [
  'missing-file',
  'unreadable-file',
  'empty-file',
  'not-an-image',
  'truncated',
  'too-large',
  'too-small',
  'mask-missing',
  'mask-unreadable',
  'mask-size',
  'mask-empty',
  'mask-full',
  'label-unknown',
  'no-background',
  'model-failed',
  'crashed',
  'other',
] as const;
export type SampleProblem = (typeof sampleProblems)[number];

/** A sample that cannot be used: costs that sample and a line in `errors.jsonl`, never the run. */
export class SampleError extends Error {
  override readonly name = 'SampleError';
  readonly problem: SampleProblem;
  readonly file: string | undefined;

  constructor(problem: SampleProblem, message: string, { file, cause }: { file?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.problem = problem;
    this.file = file;
  }
}
