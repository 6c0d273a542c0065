import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { openRegularFile } from '../../formats/regular-file.ts';
import { formatOf } from '../../image/format.ts';
import { isImageName, list, stemOf } from '../files.ts';

export interface LabelmePicture {
  readonly path: string;
  readonly embedded: boolean;
}

/**
 * The picture of an annotation: where its path leads to one; else the one of the same name beside it; else the one inside.
 * LabelMe's own tutorial has files whose path names no picture.
 */
export async function findLabelmePicture(
  { imagePath, imageData }: { imagePath?: string | null; imageData?: string | null },
  json: string,
): Promise<LabelmePicture | undefined> {
  const named = imagePath ? resolve(dirname(json), imagePath.replaceAll('\\', '/')) : undefined;
  if (named && (await isPicture(named))) return { path: named, embedded: false };
  const { files } = await list(dirname(json));
  const stem = stemOf(basename(json));
  const beside = files.find((name) => isImageName(name) && stemOf(name) === stem);
  if (beside) return { path: join(dirname(json), beside), embedded: false };
  const bytes = imageData ? Buffer.from(imageData, 'base64') : undefined;
  if (!bytes || !formatOf(bytes)) return undefined;
  return { path: await unpack(bytes), embedded: true };
}

async function isPicture(file: string): Promise<boolean> {
  const opened = await openRegularFile(file).catch(() => undefined);
  if (!opened) return false;
  try {
    const { buffer, bytesRead } = await opened.handle.read(Buffer.alloc(64), 0, 64, 0);
    return formatOf(buffer.subarray(0, bytesRead)) !== undefined;
  } finally {
    await opened.handle.close();
  }
}

let folder: string | undefined;

/**
 * Writes into a private temporary folder that is removed when the process ends, so that nobody else can plant a file
 * there.
 */
async function unpack(bytes: Uint8Array): Promise<string> {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'sceneshift-labelme-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  const path = join(folder, `${randomUUID()}.${formatOf(bytes)}`);
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
  return path;
}
