import { fixedOf } from '../../contracts/numbers.ts';
export interface Progress {
  /** Counts what is done; `total` may still grow. */
  update(done: number, total?: number): void;
  /** A line of its own above the bar. */
  note(line: string): void;
  finish(summary?: string): void;
}

interface ProgressOptions {
  readonly title: string;
  readonly noun: string;
  readonly total: number;
  readonly stream?: NodeJS.WriteStream;
  readonly now?: () => number;
}

const redrawMs = 100;
const firstEstimateMs = 2000;

/** A bar with rate and time left on a terminal; a line at every tenth of the way elsewhere. Always on standard error. */
export function createProgress({
  title,
  noun,
  total,
  stream = process.stderr,
  now = () => performance.now(),
}: ProgressOptions): Progress {
  const started = now();
  const terminal = stream.isTTY === true;
  let done = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let firstDone: number | undefined;
  let finished = false;
  let milestone = 0;
  let estimated = false;

  const status = () => {
    const seconds = (now() - started) / 1000;
    // What is found done already at the start (a resumed run) say nothing about the rate.
    const rate = (done - (firstDone ?? 0)) / seconds;
    const left = rate > 0 ? (total - done) / rate : Number.NaN;
    return `${done}/${total} ${noun} · ${formatRate(rate)} ${noun}/s · ${Number.isFinite(left) ? `${formatSeconds(left)} left` : '…'}`;
  };
  const draw = () => {
    const share = total ? done / total : 0;
    const bar = '█'.repeat(Math.round(20 * share)).padEnd(20, '░');
    stream.write(`\r\u001B[2K${title} ${bar} ${status()}`.slice(0, (stream.columns ?? 100) + 5));
    drawnAt = now();
  };

  return {
    update(count, newTotal) {
      done = count;
      if (newTotal !== undefined) total = newTotal;
      firstDone ??= count > 1 ? count : 0;
      if (terminal) {
        if (now() - drawnAt >= redrawMs) draw();
        return;
      }
      const reached = total ? Math.floor((10 * done) / total) : 0;
      // A first estimate early, without waiting for the first tenth of a long run.
      const early = !estimated && now() - started > firstEstimateMs;
      if ((early || reached > milestone) && done < total) {
        stream.write(`${title}: ${status()}\n`);
        estimated = true;
      }
      milestone = Math.max(milestone, reached);
    },
    note(line) {
      if (terminal) stream.write('\r\u001B[2K');
      stream.write(`${line}\n`);
      if (terminal) draw();
    },
    finish(summary) {
      if (finished) return;
      finished = true;
      if (terminal) stream.write('\r\u001B[2K');
      const seconds = (now() - started) / 1000;
      stream.write(`${title}: ${summary ?? `${done} ${noun} in ${formatSeconds(seconds)}`}\n`);
    },
  };
}

const formatRate = (rate: number) => fixedOf(rate, rate >= 100 ? 0 : 1);

export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${fixedOf(seconds, 1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
