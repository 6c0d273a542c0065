import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The most memory that a process of a command held at one time, in bytes; Linux keeps the figure for every process. The one that
 * works is a child of the one that is started, which only watches it.
 */
export function peakMemory(bin: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let peakKiB = 0;
    let stderr = '';
    child.stderr.on('data', (data) => (stderr += data));
    const timer = setInterval(() => {
      for (const pid of familyOf(String(child.pid)))
        try {
          const status = readFileSync(`/proc/${pid}/status`, 'utf8');
          peakKiB = Math.max(peakKiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
        } catch {}
    }, 20);
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(timer);
      if (code === 0) resolve(peakKiB * 1024);
      else reject(new Error(`${args[0]} failed: ${stderr.slice(-500)}`));
    });
  });
}

/** A process and all that it started. */
function familyOf(pid: string): string[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean),
    );
    return [pid, ...children.flatMap(familyOf)];
  } catch {
    return [pid];
  }
}
