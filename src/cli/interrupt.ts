/** First Ctrl+C: finish what is in hand and say how to go on. Second: stop at once. */
export function onInterrupt(message: string): { signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const handler = () => {
    if (controller.signal.aborted) process.exit(130);
    process.stderr.write(`\n${message} (again: stop at once)\n`);
    controller.abort();
  };
  process.on('SIGINT', handler);
  process.on('SIGTERM', handler);
  return {
    signal: controller.signal,
    done() {
      process.off('SIGINT', handler);
      process.off('SIGTERM', handler);
    },
  };
}
