import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The most memory a command held at one time, in bytes; Linux keeps the figure for every process. */
export function peakMemory(bin: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let peakKiB = 0;
    let stderr = '';
    child.stderr.on('data', (data) => (stderr += data));
    const timer = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
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
