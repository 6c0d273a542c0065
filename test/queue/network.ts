import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../test/queue/lossy-link.py', import.meta.url));
const python = '/usr/bin/python3';

/** Why no network of one's own can be had here; undefined: it can. */
export function networkLacking(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are Linux’s';
  if (process.getuid?.() !== 0) return 'only root may make network namespaces';
  if (!existsSync('/dev/net/tun')) return 'there is no /dev/net/tun';
  if (!existsSync(python)) return `there is no ${python}`;
  try {
    execFileSync('ip', ['netns', 'add', probe], { stdio: 'ignore' });
    execFileSync('ip', ['netns', 'del', probe], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'ip netns (iproute2) is not there or not allowed';
  }
}
const probe = `sceneshift-probe-${process.pid}`;

export interface Link {
  readonly namespace: string;
  /** This machine, as the namespace sees it. */
  readonly address: string;
  /** Takes it away, and says what it carried and dropped. */
  remove(): Promise<{ readonly carried: number; readonly dropped: number }>;
}

let made = 0;

/** A network namespace whose only way out is a slow link that loses packets. */
export async function makeLink({ delayMs = 80, lossPercent = 2, seed = 1 } = {}): Promise<Link> {
  const index = made++;
  const namespace = `sceneshift-${process.pid}-${index}`;
  const [address, peer] = [1, 2].map((end) => `10.213.${(process.pid + index) % 250}.${end + 4 * (index % 60)}`);
  execFileSync('ip', ['netns', 'add', namespace]);
  const settings = [namespace, address, peer, delayMs, lossPercent, seed].map(String);
  const link = spawn(python, [script, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  link.stdout.on('data', (text) => (said += text));
  await untilUp(link, () => said.includes('up'));
  return {
    namespace,
    address,
    async remove() {
      const closed = new Promise((resolve) => link.once('close', resolve));
      link.kill('SIGTERM');
      await closed;
      execFileSync('ip', ['netns', 'del', namespace]);
      return JSON.parse(said.trim().split('\n').at(-1) as string);
    },
  };
}

const untilUp = (link: ChildProcess, isUp: () => boolean) =>
  new Promise<void>((resolve, reject) => {
    link.stdout?.on('data', () => isUp() && resolve());
    link.once('close', (status) => reject(new Error(`the link ended with status ${status}`)));
  });
