import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file with whatever the desktop opens it with; where there is no desktop, says so and goes on. */
export async function openFile(path: string): Promise<void> {
  const [program, ...before] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...before, path], { stdio: 'ignore', detached: true });
  const isStarted = await new Promise((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!isStarted) process.stderr.write(`No ${program} here to open it with: open ${path} in a browser\n`);
  else child.unref();
}
