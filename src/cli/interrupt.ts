/**
 * First Ctrl+C: end within the batch in hand and say how to go on. Second: at once. The process then dies of the signal
 * itself: to leave by `process.exit` while a native library computes in another thread aborts with a core dump.
 */
export function onInterrupt(message: string): { signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const handler = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      done();
      process.kill(process.pid, signal);
      return;
    }
    process.stderr.write(`\n${message} (again: stop at once)\n`);
    controller.abort();
  };
  const done = () => {
    process.off('SIGINT', handler);
    process.off('SIGTERM', handler);
  };
  process.on('SIGINT', handler);
  process.on('SIGTERM', handler);
  return { signal: controller.signal, done };
}
