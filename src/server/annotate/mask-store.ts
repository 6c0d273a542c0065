import { lstat, mkdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { HTTPException } from 'hono/http-exception';
import { UserError } from '../../contracts/errors.ts';
import type { Sample } from '../../contracts/sample.ts';
import { walk } from '../../dataset/files.ts';
import { sweepPartial, syncFolder, writeAtomic } from '../../run/atomic.ts';
import { lockFolder } from '../../run/folder/index.ts';
import { planPaths } from '../../run/render-layouts.ts';
import { refused } from '../errors.ts';
import { madeManifest } from '../workspace.ts';
import { type DrawnFile, hashOf, parseDrawnFile } from './drawn-file.ts';
import type { Drawn } from './judge.ts';
import { manifestLines } from './manifest-lines.ts';

/** What is on disk for a sample. */
export interface Stored {
  /** `new` where nothing is. */
  readonly version: string;
  readonly savedAt: string | null;
  readonly drawn?: Drawn;
  /** A save was cut short between its two files: LabelMe's file stands, the PNG is to be made from it. */
  readonly unfinished?: boolean;
}

export type Packed = Pick<DrawnFile, 'shapes' | 'imageWidth' | 'imageHeight'> & {
  readonly objects: readonly string[];
  readonly doubt: DrawnFile['sceneshift']['doubt'];
  readonly png: Uint8Array;
};

/** The folder of masks drawn here: one PNG and one LabelMe file a sample, named as its picture, and a manifest of all. */
export interface MaskStore {
  readonly folder: string;
  fileOf(index: number): string;
  jsonOf(index: number): string;
  /** Samples of which a PNG lies in the folder. */
  present(): Promise<number[]>;
  find(index: number): Promise<Stored>;
  /** Resolves when everything is on disk; refuses where another version is there than `ifVersion`. */
  save(index: number, packed: Packed, ifVersion: string): Promise<{ version: string; savedAt: string }>;
  finish(index: number, png: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

const originals = '.originals';

export function openMaskStore(samples: readonly Sample[], folder: string, { isChosen = false } = {}): MaskStore {
  const pathOf = planPaths(samples, 'sceneshift', 'png');
  const files = samples.map((_, i) => pathOf(i, 'original', false).mask.replace(/^masks\/original\//, ''));
  const pictures = new Set(samples.map(({ image }) => resolve(image)));
  const at = (path: string) => join(folder, path);
  const jsonOf = (index: number) => files[index].replace(/\.png$/, '.json');
  let present: Promise<Set<number>> | undefined;
  let lock: ReturnType<typeof lockFolder> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const look = async () => {
    const names = new Set(await walk(folder, { accept: (name) => name.endsWith('.png') }));
    return new Set(files.flatMap((file, i) => (names.has(file) ? [i] : [])));
  };
  const known = () => {
    present ??= look();
    return present;
  };
  /** The bytes of a plain file below the folder; undefined where there is none. */
  const read = async (path: string): Promise<Buffer | undefined> => {
    const found = await lstat(at(path)).catch(() => undefined);
    if (!found) return undefined;
    if (!found.isFile()) throw refused(`${path} among the masks is a link, or no file; remove it`);
    await checkFolder(dirname(at(path)));
    return readFile(at(path));
  };
  /** Links in the folder that lead out of it are not followed. */
  const checkFolder = async (below: string) => {
    if (!isChosen && (await lstat(folder).catch(() => undefined))?.isSymbolicLink())
      throw refused(`${folder} is a link; name the folder itself with --masks-to`);
    const [root, real] = await Promise.all([realpath(folder), realpath(below)]);
    if (real !== root && !real.startsWith(root + sep))
      throw refused(`${relative(folder, below)} among the masks is a link out of their folder; remove it`);
  };
  const find = async (index: number): Promise<Stored & { json?: Buffer; png?: Buffer; own?: DrawnFile }> => {
    const [json, png] = [await read(jsonOf(index)), await read(files[index])];
    if (!json && !png) return { version: 'new', savedAt: null };
    const pngHash = png ? hashOf(png) : null;
    const version = hashOf(`${json ? hashOf(json) : ''} ${pngHash ?? ''}`);
    const parsed = json && parseDrawnFile(json.toString('utf8'));
    const own = parsed?.sceneshift.sample === samples[index].id ? parsed : undefined;
    const base = { version, savedAt: own?.sceneshift.savedAt ?? null, json, png, own };
    const text = json?.toString('utf8') as string;
    if (own && (own.sceneshift.png === pngHash || own.sceneshift.pngBefore === pngHash))
      return {
        ...base,
        drawn: { source: 'json', json: text },
        ...(own.sceneshift.png !== pngHash && { unfinished: true }),
      };
    if (!png) return { ...base, version: json ? version : 'new' };
    const note = own
      ? 'The PNG was changed by another program after it was drawn here; that one is shown'
      : 'A mask that was not drawn here; it is kept when you save';
    return { ...base, drawn: { source: 'png', png: at(files[index]), note } };
  };
  const write = async (path: string, bytes: Uint8Array | string) => {
    await makeFolder(dirname(at(path)));
    await checkFolder(dirname(at(path)));
    await writeAtomic(folder, path, bytes, { durable: true });
  };
  /** A file that was not drawn here is moved to .originals before it is overwritten. */
  const keep = async (path: string, bytes: Buffer) => {
    for (let i = 1; ; i++) {
      const name = i === 1 ? path : path.replace(/(\.\w+)$/, `~${i}$1`);
      const there = await read(join(originals, name));
      if (there?.equals(bytes)) return;
      if (!there) return write(join(originals, name), bytes);
    }
  };
  /** Held from the first save on; taken again where the folder was removed meanwhile. */
  const holdFolder = async () => {
    const held = await lock;
    const isHeld = await held?.check().then(
      () => true,
      () => false,
    );
    if (isHeld) return;
    present = undefined;
    lock = lockFolder(folder).catch((error: Error) => {
      lock = undefined;
      throw error instanceof UserError ? new UserError(error.message.replace('--out', '--masks-to')) : error;
    });
    await lock;
  };

  const saveNow = async (index: number, packed: Packed, ifVersion: string) => {
    if (pictures.has(resolve(at(files[index]))))
      throw refused(
        `The mask would take the place of the picture ${basename(files[index])}; choose another --masks-to`,
      );
    const there = await find(index);
    if (there.version !== ifVersion) throw overtaken(there);
    await makeFolder(folder);
    await checkFolder(folder);
    await holdFolder();
    const isOthers = there.drawn?.source === 'png';
    if (there.png && isOthers) await keep(files[index], there.png);
    if (there.json && !there.own) await keep(jsonOf(index), there.json);
    const savedAt = new Date().toISOString();
    const { shapes, imageWidth, imageHeight, objects, doubt, png } = packed;
    const content = {
      version: '5.5.0',
      flags: {},
      shapes,
      imagePath: relative(dirname(at(files[index])), samples[index].image).replaceAll('\\', '/'),
      imageData: null,
      imageHeight,
      imageWidth,
      sceneshift: {
        sample: samples[index].id,
        savedAt,
        objects: [...objects],
        doubt,
        png: hashOf(png),
        pngBefore: there.png ? hashOf(there.png) : null,
      },
    } satisfies DrawnFile;
    const json = `${JSON.stringify(content, null, 1)}\n`;
    await write(jsonOf(index), json);
    await write(files[index], png);
    const all = await known();
    if (!all.has(index) || !(await read(madeManifest))) {
      all.add(index);
      const lines = manifestLines(samples, folder, (i) => (all.has(i) ? files[i] : undefined));
      if (lines) await write(madeManifest, lines);
    }
    return { version: hashOf(`${hashOf(json)} ${hashOf(png)}`), savedAt };
  };
  /** One at a time, whatever asks. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };

  return {
    folder,
    fileOf: (index) => files[index],
    jsonOf: (index) => at(jsonOf(index)),
    present: async () => [...(await known())],
    find,
    save: (index, packed, ifVersion) => inTurn(() => saveNow(index, packed, ifVersion)),
    finish: (index, png) =>
      inTurn(async () => {
        if ((await find(index)).unfinished) await write(files[index], png);
      }),
    async close() {
      await last;
      if (!lock) return;
      await sweepPartial(folder);
      await (await lock.catch(() => undefined))?.release();
    },
  };
}

/** Made, and on the disk by name. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

const overtaken = ({ version, savedAt }: Stored) =>
  new HTTPException(412, {
    res: Response.json(
      { error: 'This picture was saved from elsewhere after you opened it; nothing was written', version, savedAt },
      { status: 412 },
    ),
  });
