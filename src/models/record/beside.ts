import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { type ModelRecord, modelRecordSchema } from '../../contracts/model-record.ts';
import { fromHuggingFace } from './hugging-face.ts';
import type { Statement } from './resolve.ts';
import { fromModelConfig } from './timm.ts';

/**
 * Everything said about an ONNX file by the files beside it, strongest first: FILE.json (also FILE.onnx.json), then
 * preprocessor_config.json, then config.json (timm's, or Hugging Face's with its labels). Folders named `onnx`, as the
 * hub's exports have, are looked out of.
 */
export function recordsBeside(path: string): Statement[] {
  const statements: Statement[] = [];
  const stem = path.replace(/\.onnx$/i, '');
  for (const file of [`${stem}.json`, `${path}.json`])
    if (existsSync(file)) statements.push({ from: basename(file), record: parseRecord(readJson(file), file) });
  const folder = dirname(path);
  const folders = basename(folder) === 'onnx' ? [folder, dirname(folder)] : [folder];
  const first = (name: string) => folders.map((each) => join(each, name)).find((file) => existsSync(file));
  const processor = first('preprocessor_config.json');
  if (processor)
    statements.push({ from: 'preprocessor_config.json', record: fromHuggingFace(readJson(processor), processor) });
  const config = first('config.json');
  if (config && config !== `${stem}.json`)
    statements.push({ from: 'config.json', record: fromModelConfig(readJson(config), config) });
  return statements;
}

export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** Checks a record; the message names the field, what was expected and what came. */
export function parseRecord(value: unknown, from: string): ModelRecord {
  const result = modelRecordSchema.safeParse(value);
  if (result.success) return result.data;
  throw new UserError(`${from}: ${describeIssue(result.error.issues[0])}`);
}

export function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.length ? `${issue.path.join('.')}: ` : '';
  if (issue.code === 'unrecognized_keys') {
    const fields = Object.keys(modelRecordSchema.shape);
    const known = issue.path.length === 0 ? `; the fields are ${fields.join(', ')}` : '';
    return `${where}unknown field ${issue.keys.map((key) => `'${key}'`).join(', ')}${known}`;
  }
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.map((branch) => branch[0]).filter((inner) => inner !== undefined);
    const near = branches.find((inner) => inner.code !== 'invalid_type') ?? branches[0];
    if (near) return describeIssue({ ...near, path: [...issue.path, ...near.path] });
  }
  return `${where}${issue.message}`;
}
