import { useEffect, useRef, useState } from 'preact/hooks';

export interface Loading<T> {
  readonly data: T | undefined;
  readonly error: string | undefined;
  /** What is shown is older than what was asked for. */
  readonly pending: boolean;
  reload(): void;
}

/**
 * Loads what `key` names, again when it changes; the old data stay until the new are there. Answers to an older key are
 * dropped.
 */
export function useData<T>(key: string, load: (signal: AbortSignal) => Promise<T>, everyMs?: number): Loading<T> {
  const [state, setState] = useState<{ key?: string; data?: T; error?: string }>({});
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  // `round` asks again for the same thing.
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    latest
      .current(controller.signal)
      .then(
        (data) => !controller.signal.aborted && setState({ key, data }),
        (error: Error) => !controller.signal.aborted && setState({ key, error: error.message }),
      )
      .finally(() => {
        if (everyMs && !controller.signal.aborted) timer = setTimeout(() => setRound((n) => n + 1), everyMs);
      });
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [key, round, everyMs]);
  return { data: state.data, error: state.error, pending: state.key !== key, reload: () => setRound((n) => n + 1) };
}
