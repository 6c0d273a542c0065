import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { encodeImage, encodeMask } from '../../image/encode.ts';
import { Refused, TryAgain } from '../../net/throttle.ts';
import { unlessAborted } from '../../net/unless-aborted.ts';
import type { Provider } from '../provider.ts';
import { finished, versionOf } from './http-provider.ts';

const answerSchema = z.object({
  id: z.number(),
  /** Why this picture could not be made; others may. */
  error: z.string().optional(),
  model: z.string().optional(),
  version: z.string().optional(),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
type ProgramAnswer = z.infer<typeof answerSchema>;

const longestLine = 2 ** 20;

/**
 * Any program: a line of JSON per request on its standard input (`id`, `prompt`, `negative`, `seed`, `width`, `height`,
 * `out`, and `image`, `keep` for edits, all of them paths), the picture written to `out`, a line of JSON back (`id`, or
 * `id` and `error`). Several requests may be open at a time; answers come in any order.
 */
export function commandProvider(argv: readonly string[]): Provider {
  const open = new Map<number, { resolve: (answer: ProgramAnswer) => void; reject: (error: Error) => void }>();
  let next = 1;
  let started: { child: ChildProcess; folder: Promise<string> } | undefined;
  let complaint = '';

  const failAll = (error: Error) => {
    for (const { reject } of open.values()) reject(error);
    open.clear();
    started = undefined;
  };

  function start() {
    const child = spawn(argv[0], argv.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] });
    child.on('error', (error) => failAll(new UserError(`Cannot start ${argv[0]}: ${error.message}`)));
    child.on('exit', (code, signal) =>
      failAll(new TryAgain(`${argv[0]} ended (${signal ?? `status ${code}`})${complaint ? `: ${complaint}` : ''}`)),
    );
    child.stdin?.on('error', () => {});
    child.stderr?.on('data', (part: Buffer) => {
      complaint = `${complaint}${part}`.trimEnd().split('\n').pop()?.slice(-200) ?? '';
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      // Programs print other things on standard output too; lines that do not begin as JSON are passed over.
      if (!line.startsWith('{')) return;
      const answer = line.length <= longestLine ? readAnswer(line) : undefined;
      const waiting = answer && open.get(answer.id);
      if (!answer || !waiting) {
        failAll(new UserError(`${argv[0]} answered what was not asked: ${line.slice(0, 80)}`));
        child.kill();
        return;
      }
      open.delete(answer.id);
      waiting.resolve(answer);
    });
    return { child, folder: mkdtemp(join(tmpdir(), 'sceneshift-generate-')) };
  }

  return {
    id: 'command',
    identity: { argv },
    async generate(asked, { signal } = {}) {
      started ??= start();
      const { child, folder } = started;
      const id = next++;
      const path = (name: string) => folder.then((at) => join(at, `${id}-${name}.png`));
      const out = await path('out');
      const files: Record<string, string> = {};
      if (asked.edit) {
        files.image = await path('image');
        await writeFile(files.image, await encodeImage(asked.edit.image, { format: 'png' }));
        if (asked.edit.keep) {
          files.keep = await path('keep');
          await writeFile(files.keep, await encodeMask(asked.edit.keep));
        }
      }
      const { prompt, negative = '', seed, width, height } = asked;
      try {
        signal?.throwIfAborted();
        const answered = new Promise<ProgramAnswer>((resolve, reject) => {
          open.set(id, { resolve, reject });
          const request = { id, prompt, negative, seed, width, height, strength: asked.edit?.strength, out, ...files };
          child.stdin?.write(`${JSON.stringify(request)}\n`);
        });
        const answer = await unlessAborted(answered, signal);
        if (answer.error !== undefined) throw new Refused(`${argv[0]}: ${answer.error}`);
        const bytes = await readFile(out).catch(() => {
          throw new Refused(`${argv[0]} said it was done, but wrote no picture`);
        });
        return finished(new Uint8Array(bytes), asked, {
          provider: 'command',
          model: answer.model ?? argv.join(' '),
          version: versionOf(answer.version),
          settings: answer.settings ?? {},
        });
      } finally {
        for (const file of [out, ...Object.values(files)]) await rm(file, { force: true });
      }
    },
    async close() {
      const running = started;
      if (!running) return;
      running.child.removeAllListeners('exit');
      running.child.stdin?.end();
      running.child.kill();
      await rm(await running.folder, { recursive: true, force: true });
    },
  };
}

function readAnswer(line: string): ProgramAnswer | undefined {
  try {
    return answerSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
