import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { commands } from '../../src/cli/commands.ts';

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

describe('deployment files', () => {
  it('the Slurm script is valid, and its options exist', async () => {
    expect(spawnSync('bash', ['-n', file('slurm/run-array.sh')]).status).toBe(0);
    const [line] = /srun npx sceneshift [\s\S]*$/.exec(text('slurm/run-array.sh')) as RegExpExecArray;
    expect(await checkOptions(line.split(/[\s\\]+/))).toBe('run');
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

  it('Kubernetes objects name their kind, version and a container', () => {
    for (const name of ['kubernetes/indexed-job.yaml', 'kubernetes/workers.yaml'])
      for (const document of parseAllDocuments(text(name))) {
        const object = (document as { toJS(): Record<string, unknown> }).toJS();
        expect(object).toMatchObject({ apiVersion: expect.any(String), kind: expect.any(String), metadata: { name: expect.any(String) } });
      }
  });
});
