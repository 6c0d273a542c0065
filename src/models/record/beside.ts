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
 * preprocessor_config.json, then config.json (timm's, or Hugging Face's with its labels). For a file in a folder named
 * `onnx`, as the hub's exports have, the folder above counts as well.
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
  const result = modelRecordSchema.safeParse(value, reporting);
  if (result.success) return result.data;
  throw new UserError(`${from}: ${describeIssue(result.error.issues[0], Object.keys(modelRecordSchema.shape))}`);
}

const isOtherType = (branch: readonly z.core.$ZodIssue[]) =>
  branch[0]?.path.length === 0 && (branch[0].code === 'invalid_type' || branch[0].code === 'invalid_value');

/** A zod issue in one line: the field, what was expected. `fields`: what stands at the top. */
export function describeIssue(issue: z.core.$ZodIssue, fields: readonly string[]): string {
  const where = issue.path.length ? `${issue.path.join('.')}: ` : '';
  if (issue.code === 'unrecognized_keys') {
    const known = issue.path.length === 0 ? `; the fields are ${fields.join(', ')}` : '';
    return `${where}unknown field ${issue.keys.map((key) => `'${key}'`).join(', ')}${known}`;
  }
  if (issue.code !== 'invalid_union') return `${where}${wording(issue.message)}${found(issue)}`;
  const branches = issue.errors.filter((branch) => !isOtherType(branch));
  if (branches.length === 0)
    return `${where}expected ${[...new Set(issue.errors.flatMap(expectedIn))].join(' or ')}${found(issue)}`;
  // A key that no branch knows is the likeliest mistake.
  const unknown = branches.map((branch) =>
    branch.flatMap((each) => (each.code === 'unrecognized_keys' ? each.keys : [])),
  );
  const nowhere = unknown[0].filter((key) => unknown.every((keys) => keys.includes(key)));
  if (nowhere.length) return `${where}unknown field ${nowhere.map((key) => `'${key}'`).join(', ')}`;
  const [nearest] = [...branches].sort((a, b) => a.length - b.length)[0];
  return describeIssue({ ...nearest, path: [...issue.path, ...nearest.path] }, fields);
}

function expectedIn([issue]: readonly z.core.$ZodIssue[]): string[] {
  if (issue.code === 'invalid_type')
    return [issue.expected === 'null' ? 'null' : `${/^[aio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`];
  return issue.code === 'invalid_value' ? issue.values.map((value) => JSON.stringify(value)) : [];
}

const wording = (text: string) =>
  text
    .replace(/^Invalid (input|option): /, '')
    .replace(/, received .*$/, '')
    .replace(/^./, (letter) => letter.toLowerCase());

/** The value that was received; the schemas are parsed with reportInput. */
const found = ({ input }: z.core.$ZodIssue) => ` but found ${input === undefined ? 'nothing' : JSON.stringify(input)}`;

/** Asks zod to say what came. */
export const reporting = { reportInput: true } as const;
