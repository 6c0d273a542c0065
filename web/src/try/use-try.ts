import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TryAnswer, TryPainting } from '../../../src/contracts/studio/try.ts';
import { createLatest, type Edit, loadEdit } from './load-edit.ts';
import { readLines } from './read-lines.ts';

export interface Trying {
  /** The newest picture that has come; its own key says what it is of. */
  readonly edit: Edit | undefined;
  readonly error: string;
  readonly answers: ReadonlyMap<string, TryAnswer>;
  /** The key that the answers are about. */
  readonly answersOf: string;
  readonly before: ReadonlyMap<string, TryAnswer>;
  readonly problem: string;
  /** Of a painting under way, 0 to 1. */
  readonly share: number | undefined;
  /** From the user's last change to the picture, in ms. */
  readonly latencyMs: number | undefined;
  cancel(): void;
}

const none: ReadonlyMap<string, TryAnswer> = new Map();

/**
 * The picture that `key` asks for and what the models make of it. `subject` is the part of the key that is the picture
 * itself: when that changes, what is under way is given up. `painted`: it has to be painted first, which takes seconds.
 */
export function useTry(key: string, subject: string, painted: boolean): Trying {
  const [edit, setEdit] = useState<Edit>();
  const [error, setError] = useState('');
  const [answers, setAnswers] = useState<{ of: string; all: ReadonlyMap<string, TryAnswer> }>({ of: '', all: none });
  const [before, setBefore] = useState(none);
  const [problem, setProblem] = useState('');
  const [share, setShare] = useState<number>();
  const [latencyMs, setLatency] = useState<number>();
  const wanted = useRef({ key: '', since: 0 });
  const lastSubject = useRef('');
  /** The subject whose photograph the models have been asked about. */
  const beforeOf = useRef('');
  const painting = useRef<AbortController | undefined>(undefined);

  const latest = useMemo(
    () =>
      createLatest<Edit>(loadEdit, ({ key: of, value, error: problem }) => {
        if (value) {
          setEdit(value);
          setError('');
        } else if (of === wanted.current.key) setError(problem?.message ?? '');
        if (value && of === wanted.current.key) setLatency(performance.now() - wanted.current.since);
      }),
    [],
  );

  useEffect(() => {
    if (!key) return;
    const restart = lastSubject.current !== subject;
    lastSubject.current = subject;
    wanted.current = { key, since: performance.now() };
    if (restart) {
      setEdit(undefined);
      setBefore(none);
      beforeOf.current = '';
    }
    if (!painted) {
      latest.want(key, { restart });
      return;
    }
    latest.giveUp();
    const stop = new AbortController();
    painting.current = stop;
    setShare(0);
    setError('');
    readLines<TryPainting>(['try', 'paint'], new URLSearchParams(key), {
      signal: stop.signal,
      onLine(line) {
        if ('share' in line) setShare(line.share);
        else if ('error' in line) setError(line.error);
        else latest.want(key, { restart });
      },
    })
      .catch((failed: Error) => !stop.signal.aborted && setError(failed.message))
      .finally(() => painting.current === stop && setShare(undefined));
    return () => stop.abort();
  }, [key, subject, painted]);

  // The models are asked once the user pauses: about the picture that is shown, never about one that is still being
  // made.
  const ask = edit?.key === key ? key : '';
  useEffect(() => {
    if (!ask) return;
    const stop = new AbortController();
    setProblem('');
    const askAll = async (query: URLSearchParams, tell: (all: ReadonlyMap<string, TryAnswer>) => void) => {
      const all = new Map<string, TryAnswer>();
      const onLine = (answer: TryAnswer) => {
        all.set(answer.model, answer);
        if (!answer.model) setProblem(answer.problem ?? '');
        tell(new Map(all));
      };
      await readLines(['try', 'answers'], query, { signal: stop.signal, onLine });
    };
    const both = async () => {
      const query = new URLSearchParams(ask);
      const isOriginal = query.get('scenario') === 'original';
      await askAll(query, (all) => {
        setAnswers({ of: ask, all });
        if (isOriginal) setBefore(all);
      });
      query.set('scenario', 'original');
      if (!isOriginal && beforeOf.current !== subject) await askAll(query, setBefore);
      beforeOf.current = subject;
    };
    both().catch((failed: Error) => !stop.signal.aborted && setProblem(failed.message));
    return () => stop.abort();
  }, [ask]);

  useEffect(() => () => latest.giveUp(), []);
  const cancel = () => {
    painting.current?.abort();
    setShare(undefined);
  };
  const isOf = answers.of === key;
  return {
    edit,
    error,
    answers: isOf ? answers.all : none,
    answersOf: isOf ? answers.of : '',
    before,
    problem,
    share,
    latencyMs,
    cancel,
  };
}
