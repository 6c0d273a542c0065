import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../../contracts/config.ts';
import { assignmentSchema, chunkSchema } from '../../contracts/queue.ts';
import { localConfig, makeAssignment } from './assignment.ts';

describe('an assignment', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sceneshift-assignment-'));
    await mkdir(join(root, 'photos'));
    for (const name of ['net.onnx', 'names.txt']) await writeFile(join(root, name), '');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));
  const details = () => ({ command: 'run', root, out: join(root, 'out'), version: '1' }) as const;
  const given = (over: Record<string, unknown>) => configSchema.parse({ data: join(root, 'photos'), ...over });

  it('names nothing by where it lies on this machine, and another finds all of it below its own root', async () => {
    const models = [
      join(root, 'net.onnx'),
      `segmenter:${join(root, 'net.onnx')}`,
      { model: join(root, 'net.onnx'), name: 'other', labels: join(root, 'names.txt') },
      'owner/on-the-hub',
      { model: 'hf:owner/on-the-hub', labels: 'imagenet-1k' },
    ];
    const config = given({ models, diffusion: { model: join(root, 'painter') } });
    const assignment = makeAssignment(config, { ...details(), choices: { run: join(root, 'run') }, paths: ['run'] });
    expect(JSON.stringify(assignment)).not.toContain(root);
    expect(assignment.choices).toEqual({ run: 'run' });
    const local = await localConfig(assignment, root);
    expect(local.out).toBe(join(root, 'out'));
    expect(local.config).toEqual({ ...config, out: undefined, plugins: [] });
  });

  it('keeps its name whatever machine it is made on, and has another where a setting differs', () => {
    const id = (over: Record<string, unknown>) => makeAssignment(given(over), details()).id;
    expect(id({ seed: 1 })).toBe(id({ seed: 1 }));
    expect(id({ seed: 1 })).not.toBe(id({ seed: 2 }));
  });

  it('what lies elsewhere is told before any work', () => {
    expect(() => makeAssignment(given({ data: tmpdir() }), details())).toThrow(
      `--data ${tmpdir()} is not below ${root}`,
    );
    expect(() => makeAssignment(given({ models: ['/else/net.onnx'] }), details())).toThrow(
      'the model /else/net.onnx is not below',
    );
  });

  it.each([
    ['data', { data: '../photos' }],
    ['a folder by its whole path', { backgrounds: '/etc' }],
    ['the painter', { diffusion: { model: '/etc' } }],
    ['a model', { models: ['/etc/net.onnx'] }],
    ['a model behind its kind', { models: ['segmenter:/etc/net.onnx'] }],
    ['a program', { models: ['command:rm -rf x'] }],
    ['an address', { models: ['vlm:http://x'] }],
    ['a table', { models: ['predictions:/etc/passwd'] }],
    ["a model's labels", { models: [{ model: 'net.onnx', labels: '/etc/passwd' }] }],
    [
      "labels of a model's preprocessing",
      { models: [{ model: 'net.onnx', preprocessing: { labels: '/etc/passwd' } }] },
    ],
    ['code', { plugins: ['x.mjs'] }],
  ])('that names %s outside the root, or runs something, is refused', async (_, over) => {
    const made = makeAssignment(given({}), details());
    await expect(localConfig({ ...made, config: { ...made.config, ...over } }, root)).rejects.toThrow(
      'The queue names',
    );
  });

  it('is data of one shape, and so are its chunks', () => {
    const made = makeAssignment(given({}), details());
    expect(assignmentSchema.safeParse({ ...made, run: 'code' }).success).toBe(false);
    expect(assignmentSchema.safeParse({ ...made, command: 'studio' }).success).toBe(false);
    const chunk = { assignment: made.id, name: made.id };
    const share = { index: 1, of: 3 };
    expect(chunkSchema.safeParse({ ...chunk, share }).success).toBe(true);
    expect(chunkSchema.safeParse(chunk).success).toBe(false);
    expect(chunkSchema.safeParse({ ...chunk, share, work: [] }).success).toBe(false);
    expect(chunkSchema.safeParse({ ...chunk, share: { index: 4, of: 3 } }).success).toBe(false);
  });
});
