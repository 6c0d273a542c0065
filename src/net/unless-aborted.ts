/** What comes, or on abort the signal's reason at once: what is waited for may then come when nobody listens any more. */
export function unlessAborted<T>(coming: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return coming;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    coming.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
