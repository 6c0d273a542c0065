import { createProgress } from './ui/progress.ts';

/** A bar of its own for the backgrounds that are painted first; nothing is shown where there are none. */
export function paintingProgress(): (done: number, total: number) => void {
  let progress: ReturnType<typeof createProgress> | undefined;
  return (done, total) => {
    progress ??= createProgress({ title: 'paint', noun: 'backgrounds', total });
    progress.update(done);
    if (done === total) progress.finish(`${total} backgrounds painted or found`);
  };
}
