import { createHash } from 'node:crypto';
import { appendFile, copyFile, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SampleError, UserError } from '../contracts/errors.ts';
import { embedProvenance } from '../generate/embed-provenance.ts';
import type { PromptItem } from '../generate/prompts/grammar.ts';
import type { EditRequest, GenerateRequest, Provenance, Provider } from '../generate/provider.ts';
import { createThrottle, isUnreachable, Refused, type ThrottleOptions } from '../net/throttle.ts';
import { writeAtomic } from './atomic.ts';
import { hashJson } from './hash.ts';
import type { PartOptions } from './part.ts';

export interface GenerateOptions
  extends Partial<Pick<ThrottleOptions, 'parallel' | 'requestsPerMinute' | 'retries' | 'sleep' | 'now'>> {
  readonly items: readonly PromptItem[];
  readonly provider: Provider;
  readonly out: string;
  /** Pictures that may be paid for into this folder, over all calls together. */
  readonly budget?: number;
  /** Pictures made before, by what decides them; shared by several folders. */
  readonly cacheDir?: string;
  /** Other machines fill the same folder meanwhile, each with items of its own. */
  readonly sideBySide?: boolean;
  /** Has other machines make what is missing; what they leave is made here. */
  readonly elsewhere?: PartOptions['elsewhere'];
  readonly size?: { readonly width?: number; readonly height?: number };
  /** The picture an item starts from, where it is an edit. */
  readonly editOf?: (item: PromptItem) => Promise<EditRequest | undefined>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** What stands beside a picture, in `ID.json`. */
export interface PictureRecord extends Provenance {
  readonly id: string;
  readonly key: string;
  readonly image: string;
  readonly time: string;
  readonly category: string;
  readonly kind: string;
  readonly nuisance: string;
  readonly strategy: string;
}

export interface GenerateSummary {
  readonly pictures: readonly PictureRecord[];
  /** Found from an earlier call, taken from the cache, made now. */
  readonly found: number;
  readonly cached: number;
  readonly made: number;
  readonly errors: readonly { readonly id: string; readonly message: string }[];
  /** Not asked for because the budget was spent. */
  readonly overBudget: number;
  readonly interrupted: boolean;
}

/**
 * Makes every picture of a plan that is not there yet. A line is written to `spent.jsonl` before each request is sent,
 * so that a kill at any moment cannot exceed the budget; a picture is written whole, with its record, before the next
 * one is begun.
 */
export async function generatePictures(options: GenerateOptions): Promise<GenerateSummary> {
  const { items, provider, out, budget = Number.POSITIVE_INFINITY, parallel = 4, signal } = options;
  await mkdir(out, { recursive: true });
  const throttle = createThrottle({ retries: 4, ...options, parallel });
  const ledger = options.sideBySide ? noLedger : await openLedger(out);
  const pictures = new Array<PictureRecord | undefined>(items.length);
  const errors: { id: string; message: string }[] = [];
  const counts = { found: 0, cached: 0, made: 0, overBudget: 0 };
  let done = 0;
  let fatal: unknown;

  const requestOf = async (item: PromptItem) => {
    const asked: GenerateRequest = {
      id: item.id,
      prompt: item.prompt,
      ...(item.negative && { negative: item.negative }),
      seed: item.seed,
      ...options.size,
      edit: await options.editOf?.(item),
    };
    const key = hashJson({
      provider: provider.id,
      identity: provider.identity ?? null,
      asked: { ...asked, id: undefined, edit: editKey(asked.edit) },
    });
    return { asked, key };
  };
  const isMissing = async (item: PromptItem) => {
    const { key } = await requestOf(item);
    return !(await readRecord(out, item.id, key));
  };
  const one = async (item: PromptItem, place: number): Promise<void> => {
    const { asked, key } = await requestOf(item);
    const known = await readRecord(out, item.id, key);
    if (known) {
      counts.found++;
      pictures[place] = known;
      return;
    }
    const cached = options.cacheDir && (await fromCache(options.cacheDir, key, out, item));
    if (cached) {
      counts.cached++;
      pictures[place] = cached;
      return;
    }
    if (!ledger.reserve(key, budget)) {
      counts.overBudget++;
      return;
    }
    await ledger.written();
    try {
      const made = await throttle.run(() => {
        signal?.throwIfAborted();
        return provider.generate(asked, { signal });
      });
      const { bytes, extension } = await embedProvenance(made);
      const image = `${item.id}.${extension}`;
      const record: PictureRecord = {
        ...made.provenance,
        ...describe(item),
        key,
        image,
        time: new Date().toISOString(),
      };
      await writeAtomic(out, image, bytes);
      await writeAtomic(out, `${item.id}.json`, `${JSON.stringify(record, null, 2)}\n`);
      if (options.cacheDir) await toCache(options.cacheDir, key, out, record);
      pictures[place] = record;
      counts.made++;
    } catch (error) {
      if (signal?.aborted) return;
      // What was refused was not paid for.
      await ledger.giveBack(key);
      if (!(error instanceof Refused)) throw error;
      if (isUnreachable(error))
        throw new UserError(`${error.message}; is the service running? --url says where it listens`, { exitCode: 1 });
      errors.push({ id: item.id, message: error.message });
    }
  };

  if (options.elsewhere) {
    const missing: number[] = [];
    for (const [place, item] of items.entries()) if (await isMissing(item).catch(() => true)) missing.push(place);
    if (missing.length) await options.elsewhere(missing);
  }
  // As many at a time as requests may be open: pictures that are there already pass by quickly.
  let next = 0;
  const lane = async () => {
    while (next < items.length && !signal?.aborted && fatal === undefined) {
      const place = next++;
      await one(items[place], place).catch((error: unknown) => {
        if (error instanceof SampleError) errors.push({ id: items[place].id, message: error.message });
        else fatal ??= error;
      });
      options.onProgress?.(++done, items.length);
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  await ledger.close();
  if (fatal !== undefined) throw fatal;
  const whole = pictures.filter((picture) => picture !== undefined);
  if (!options.sideBySide)
    await writeAtomic(out, 'errors.jsonl', errors.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { pictures: whole, ...counts, errors, interrupted: signal?.aborted === true };
}

const bytesKey = (data: Uint8Array | undefined) => data && createHash('sha256').update(data).digest('hex');
const editKey = (edit: EditRequest | undefined) =>
  edit && { image: bytesKey(edit.image.data), keep: bytesKey(edit.keep?.data), strength: edit.strength };

const describe = ({ id, category, kind, nuisance, strategy }: PromptItem) => ({
  id,
  category,
  kind,
  nuisance,
  strategy,
});

async function readRecord(out: string, id: string, key: string): Promise<PictureRecord | undefined> {
  const text = await readFile(join(out, `${id}.json`), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const record = JSON.parse(text) as PictureRecord;
  const there = await stat(join(out, record.image)).then(
    (found) => found.size > 0,
    () => false,
  );
  return record.key === key && there ? record : undefined;
}

async function fromCache(
  folder: string,
  key: string,
  out: string,
  item: PromptItem,
): Promise<PictureRecord | undefined> {
  const text = await readFile(join(folder, `${key}.json`), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const kept = JSON.parse(text) as PictureRecord;
  const extension = kept.image.slice(kept.image.lastIndexOf('.'));
  const record = { ...kept, ...describe(item), image: `${item.id}${extension}` };
  const bytes = await readFile(join(folder, `${key}${extension}`)).catch(() => undefined);
  if (!bytes?.length) return undefined;
  await writeAtomic(out, record.image, bytes);
  await writeAtomic(out, `${item.id}.json`, `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

async function toCache(folder: string, key: string, out: string, record: PictureRecord): Promise<void> {
  await mkdir(folder, { recursive: true });
  const extension = record.image.slice(record.image.lastIndexOf('.'));
  const partial = join(folder, `.${process.pid}-${key}`);
  await copyFile(join(out, record.image), partial);
  await rename(partial, join(folder, `${key}${extension}`));
  // The record last: a picture without one is not found.
  await writeAtomic(folder, `${key}.json`, `${JSON.stringify(record, null, 2)}\n`);
}

/** Pictures that nobody pays for need no ledger. */
const noLedger: Ledger = {
  reserve: () => true,
  written: async () => undefined,
  giveBack: async () => undefined,
  close: async () => undefined,
};

interface Ledger {
  /** False: the budget is spent. Counted at once, so that requests side by side cannot pass it together. */
  reserve(key: string, budget: number): boolean;
  written(): Promise<unknown>;
  giveBack(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Requests that left, one line each, and those that were refused. What a kill leaves open counts as paid. */
async function openLedger(out: string): Promise<Ledger> {
  const path = join(out, 'spent.jsonl');
  await mkdir(dirname(path), { recursive: true });
  const text = await readFile(path, 'utf8').catch(() => '');
  let spent = 0;
  for (const line of text.split('\n')) {
    if (!line) continue;
    try {
      spent += (JSON.parse(line) as { refused?: boolean }).refused ? -1 : 1;
    } catch {
      // A kill can cut the last line: it was a request about to leave.
      spent++;
    }
  }
  if (text && !text.endsWith('\n')) await appendFile(path, '\n');
  const file = await open(path, 'a');
  let writing: Promise<unknown> = Promise.resolve();
  const line = (value: Record<string, unknown>) => {
    writing = writing.then(async () => {
      await file.appendFile(`${JSON.stringify({ ...value, time: new Date().toISOString() })}\n`);
      await file.datasync();
    });
    return writing;
  };
  return {
    reserve(key, budget) {
      if (spent >= budget) return false;
      spent++;
      void line({ key }).catch(() => undefined);
      return true;
    },
    written: () =>
      writing.catch((error: unknown) => {
        throw new UserError(`Cannot write ${path}: ${error instanceof Error ? error.message : error}`, { exitCode: 1 });
      }),
    async giveBack(key) {
      spent--;
      await line({ key, refused: true });
    },
    async close() {
      await writing.catch(() => undefined);
      await file.close();
    },
  };
}
