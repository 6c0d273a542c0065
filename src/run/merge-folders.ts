import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expected, UserError } from '../contracts/errors.ts';
import { inOwnFolder } from './folder/index.ts';
import { canonicalJson } from './hash.ts';
import { joinFiles } from './join-files.ts';

export interface FoldersMerged {
  readonly out: string;
  readonly sources: readonly string[];
  readonly files: number;
  /** What is in the folders, by the command that made them. */
  readonly command: PartKind;
}

const partKinds = { render: 'render.json', explain: 'saliency/index.json', train: 'features', generate: 'spent.jsonl' };
type PartKind = keyof typeof partKinds;

/** Which command's shares a folder holds; undefined: those of `run`, or something else. */
export function partKindOf(folder: string): PartKind | undefined {
  if (existsSync(join(folder, 'run.json'))) return undefined;
  return (Object.keys(partKinds) as PartKind[]).find((kind) => existsSync(join(folder, partKinds[kind])));
}

/** Joins what `render`, `explain`, `train` or `generate --shard I/N` left; the same command without it finishes the whole. */
export async function mergeFolders(sources: readonly string[], out: string): Promise<FoldersMerged> {
  const folders = sources.map((source) => resolve(source));
  const target = resolve(out);
  const [command, ...others] = folders.map(partKindOf);
  const other = others.findIndex((kind) => kind !== command);
  if (!command || other >= 0)
    throw expected('folders of one command', 'what is to be joined', sources[other + 1] ?? sources[0]);
  await checkSameRendering([...folders, target]);
  return inOwnFolder(target, async () => {
    let files = 0;
    for (const folder of folders)
      if (folder !== target)
        files += await joinFiles(folder, target, (path) => path === 'spent.jsonl' && existsSync(join(target, path)));
    return { out: target, sources: folders, files, command };
  });
}

/** Pictures rendered with different settings must not be mixed in one benchmark. */
async function checkSameRendering(folders: readonly string[]): Promise<void> {
  let first: { folder: string; settings: string } | undefined;
  for (const folder of folders) {
    const text = await readFile(join(folder, partKinds.render), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const settings = canonicalJson(JSON.parse(text));
    first ??= { folder, settings };
    if (settings !== first.settings)
      throw new UserError(`${folder} and ${first.folder} were rendered with different settings; they cannot be joined`);
  }
}
