import { availableParallelism, cpus, totalmem } from 'node:os';
import { fixedOf } from '../../contracts/numbers.ts';
import { defineCommand } from '../command.ts';
import { print } from '../ui/output.ts';

interface Finding {
  readonly part: string;
  readonly status: 'ok' | 'missing' | 'note';
  readonly found: string;
  readonly advice?: string;
}

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'What this machine has, what is missing, and how to get it.',
  options: {},
  async run({ json }) {
    const findings = [...machine(), ...(await Promise.all([sharp(), onnxruntime(), int8(), duckdb(), opencv()]))];
    const marks = { ok: '✓', missing: '✗', note: '•' };
    print(json, { findings }, () =>
      findings
        .map(
          ({ part, status, found, advice }) =>
            `${marks[status]} ${part.padEnd(14)} ${found}${advice ? `\n  ${' '.repeat(14)} ${advice}` : ''}`,
        )
        .join('\n'),
    );
    return findings.some((finding) => finding.status === 'missing') ? 1 : 0;
  },
});

function machine(): Finding[] {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const newEnough = major > 20 || (major === 20 && minor >= 19);
  return [
    {
      part: 'Node',
      status: newEnough ? 'ok' : 'missing',
      found: process.versions.node,
      advice: newEnough ? undefined : 'Sceneshift needs 20.19 or newer: install it from nodejs.org',
    },
    {
      part: 'cores',
      status: 'ok',
      found: `${availableParallelism()} (${cpus()[0]?.model.trim() ?? 'unknown processor'})`,
    },
    { part: 'memory', status: 'ok', found: `${fixedOf(totalmem() / 2 ** 30, 1)} GiB` },
  ];
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0];

async function library(part: string, what: string, load: () => Promise<string>): Promise<Finding> {
  try {
    return { part, status: 'ok', found: `${await load()} (${what})` };
  } catch (error) {
    const reason = firstLine(error);
    return {
      part,
      status: 'missing',
      found: `cannot be loaded: ${reason}`,
      advice: `needed for ${what}: run npm ci in the clone, or npm install sceneshift again`,
    };
  }
}

const sharp = () =>
  library('sharp', 'reading and writing images', async () => (await import('sharp')).default.versions.sharp ?? 'found');
const onnxruntime = () =>
  library('onnxruntime', 'ONNX models', async () => (await import('onnxruntime-node')).env.versions.node ?? 'found');
async function int8(): Promise<Finding> {
  try {
    const { askInt8 } = await import('../../models/onnx/int8.ts');
    const { saturates } = await askInt8();
    if (!saturates) return { part: 'int8', status: 'ok', found: '8-bit products do not saturate on this processor' };
    return {
      part: 'int8',
      status: 'note',
      found: '8-bit products saturate on this processor (it lacks VNNI)',
      advice: 'int8 models are run with session.x64quantprecision=1: the same answers as everywhere, at half the speed',
    };
  } catch (error) {
    return { part: 'int8', status: 'note', found: `not known: ${firstLine(error)}` };
  }
}
const duckdb = () =>
  library('duckdb', 'Parquet files', async () => (await import('../../run/folder/index.ts')).duckDbVersion());
const opencv = () =>
  library('opencv-js', 'GrabCut masks', async () => {
    const { createRequire } = await import('node:module');
    return createRequire(import.meta.url)('@techstark/opencv-js/package.json').version;
  });
