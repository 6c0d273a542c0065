import { crashLessons } from '../formats/in-hand.ts';

/**
 * The command's side of supervise.ts: it dies with its parent, and an interrupt that only the parent got counts as one here. Where
 * a command watches for interrupts (interrupt.ts) it sees to that itself.
 */
export function obeyParent(): void {
  // Read before anything is started that would inherit it.
  crashLessons();
  const end = () => process.kill(process.pid, 'SIGKILL');
  // Where the parent was killed before this line nobody tells any more.
  if (process.connected === false) end();
  process.on('disconnect', end);
  process.on('message', (message) => {
    const signal = toldInterrupt(message);
    if (signal && process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  });
  // Neither the listeners nor the channel may keep the process running once the command is done.
  process.channel?.unref();
}

export function toldInterrupt(message: unknown): NodeJS.Signals | undefined {
  return (message as { interrupt?: NodeJS.Signals } | null)?.interrupt;
}
