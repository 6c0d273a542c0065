import { crashLessons } from '../formats/in-hand.ts';

/**
 * Linux's C library would give each thread a region of memory of its own to allocate from, with gaps of its own: the more of them, the
 * more a run holds. Few threads share one; many would wait for each other. It reads this when a process starts. In a spelling of
 * ours, so that what the user set is told apart: programs that a command starts are not to have it from us.
 */
export const oneRegion = { name: 'MALLOC_ARENA_MAX', value: '0x1', mostThreads: 4 };

/**
 * The command's side of supervise.ts: it dies with its parent, and an interrupt that only the parent got counts as one here. Where
 * a command watches for interrupts (interrupt.ts) it sees to that itself.
 */
export function obeyParent(): void {
  // Read before anything is started that would inherit it.
  crashLessons();
  if (process.env[oneRegion.name] === oneRegion.value) delete process.env[oneRegion.name];
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
