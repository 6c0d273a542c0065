// Imports nothing: main.ts loads it before it knows whether a parent watches over the process.
const leftoverMs = 1000;
let interruptedBy: NodeJS.Signals | undefined;

export function noteInterrupt(signal: NodeJS.Signals): void {
  interruptedBy = signal;
}

/** Called when the command has ended: what it leaves under way (a plugin's request, a fetch) does not keep the process alive. */
export function leaveNothingRunning(): void {
  const signal = interruptedBy;
  if (signal) setTimeout(() => process.kill(process.pid, signal), leftoverMs).unref();
}
