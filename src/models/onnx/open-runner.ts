import { createRunner, type Runner, type RunnerOptions } from './runner.ts';
import { openSession, type SessionFacts } from './session.ts';

export interface OpenRunner extends Runner {
  close(): Promise<void>;
}

/**
 * A session with its runner. A device's session is opened at the first question: threads that only prepare pictures for it
 * take none of its memory.
 */
export async function openRunner(
  facts: SessionFacts,
  options: Omit<RunnerOptions, 'session' | 'file'>,
): Promise<OpenRunner> {
  const open = async () => {
    const session = await openSession(facts);
    return { session, runner: createRunner({ ...options, session, file: facts.path }) };
  };
  let opened = facts.device && facts.device !== 'cpu' ? undefined : Promise.resolve(await open());
  return {
    run: async (pictures, size) => (await (opened ??= open())).runner.run(pictures, size),
    close: async () => (await opened)?.session.release(),
  };
}
