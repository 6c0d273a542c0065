import { exitCodes, UserError } from '../contracts/errors.ts';
import { hurry } from '../storage/patience.ts';
import { noteInterrupt } from './leave.ts';
import { toldInterrupt } from './supervised.ts';

/** Of several jobs under way (the demo's) the first speaks for all. */
const listening: AbortController[] = [];

/**
 * First Ctrl+C: end within the batch in hand and say how to go on. Second: at once. The process then dies of the signal
 * itself: to leave by `process.exit` while a native library computes in another thread aborts with a core dump.
 */
export function onInterrupt(message: string): { signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  // A terminal interrupts the parent that watches over this process as well, which tells us: that is one interrupt, not two.
  const count = { own: 0, told: 0 };
  const interrupted = (way: 'own' | 'told', signal: NodeJS.Signals) => {
    const before = Math.max(count.own, count.told);
    if (++count[way] <= before) return;
    if (before > 0) {
      done();
      process.kill(process.pid, signal);
      return;
    }
    if (listening[0] === controller) process.stderr.write(`\n${message} (again: stop at once)\n`);
    controller.abort(
      new UserError('Interrupted; the same command goes on from here', { exitCode: exitCodes.interrupted }),
    );
    hurry();
    noteInterrupt(signal);
  };
  const own = (signal: NodeJS.Signals) => interrupted('own', signal);
  const told = (sent: unknown) => {
    const signal = toldInterrupt(sent);
    if (signal === 'SIGINT' || signal === 'SIGTERM') interrupted('told', signal);
  };
  const done = () => {
    const place = listening.indexOf(controller);
    if (place >= 0) listening.splice(place, 1);
    process.off('SIGINT', own);
    process.off('SIGTERM', own);
    process.off('message', told);
  };
  listening.push(controller);
  process.on('SIGINT', own);
  process.on('SIGTERM', own);
  process.on('message', told);
  return { signal: controller.signal, done };
}
