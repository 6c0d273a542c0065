import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { commands } from '../../src/cli/commands.ts';
import { openKey } from '../../src/run/queue/keys.ts';

const file = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));
const text = (name: string) => readFileSync(file(name), 'utf8');

/** Options that a deployment passes to a command, as the command itself declares them. */
async function checkOptions(words: readonly string[]) {
  const start = words.findIndex((word) => word in commands);
  const command = await commands[words[start]].load();
  const given = words.slice(start + 1).filter((word) => /^--[a-z-]+$/.test(word));
  for (const option of given) expect(Object.keys(command.options)).toContain(option.slice(2));
  return words[start];
}

const kubernetes = ['indexed-job', 'workers', 'queue', 'autoscale-hpa'].map((name) => `kubernetes/${name}.yaml`);

describe('deployment files', () => {
  it('the Slurm script is valid, and its options exist', async () => {
    expect(spawnSync('bash', ['-n', file('slurm/run-array.sh')]).status).toBe(0);
    const [line] = /srun npx sceneshift [\s\S]*$/.exec(text('slurm/run-array.sh')) as RegExpExecArray;
    expect(await checkOptions(line.split(/[\s\\]+/))).toBe('run');
  });

  it('a task of the Slurm array does its own share, in a folder of its own', () => {
    const bin = mkdtempSync(join(tmpdir(), 'sceneshift-slurm-'));
    try {
      writeFileSync(join(bin, 'srun'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
      const env = {
        PATH: `${bin}:${process.env.PATH}`,
        ...{ SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '16', SLURM_CPUS_PER_TASK: '8' },
      };
      const task = spawnSync('bash', [file('slurm/run-array.sh'), 'a b.yaml', 'runs/big'], { env, encoding: 'utf8' });
      expect(task.stdout.trim().split('\n')).toEqual([
        ...['npx', 'sceneshift', 'run', '--config', 'a b.yaml', '--shard', '3/16', '--threads', '8'],
        ...['--out', 'runs/big/part-3'],
      ]);
      expect(spawnSync('bash', [file('slurm/run-array.sh'), 'a.yaml', 'out'], { env: { PATH: env.PATH } }).status).not.toBe(0);
    } finally {
      rmSync(bin, { recursive: true, force: true });
    }
  });

  it.each(['compose.yaml', 'kubernetes/indexed-job.yaml', 'kubernetes/workers.yaml'])('%s parses, and its options exist', async (name) => {
    const documents = parseAllDocuments(text(name));
    for (const document of documents) expect('errors' in document ? document.errors : []).toEqual([]);
    const plain = JSON.stringify(documents.map((document) => ('toJS' in document ? document.toJS() : document)));
    const lists = [...plain.matchAll(/\["(worker|run)"[^\]]*\]/g)].map(([list]) => JSON.parse(list) as string[]);
    const shell = [...plain.matchAll(/sceneshift\.js ([^"]*)/g)].map(([, line]) => line.split(' '));
    expect(lists.length + shell.length).toBeGreaterThan(0);
    for (const words of [...lists, ...shell]) await checkOptions(words);
  });

  it('KEDA counts what the coordinator keeps', () => {
    expect(text('kubernetes/workers.yaml')).toContain(`listName: "${openKey}"`);
  });

  it('Kubernetes objects name their kind, version and a container', () => {
    for (const name of kubernetes)
      for (const document of parseAllDocuments(text(name))) {
        const object = (document as { toJS(): Record<string, unknown> }).toJS();
        expect(object).toMatchObject({ apiVersion: expect.any(String), kind: expect.any(String), metadata: { name: expect.any(String) } });
      }
  });
});
