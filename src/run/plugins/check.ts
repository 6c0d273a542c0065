import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reader } from '../../dataset/index.ts';
import type { NamedScenario } from '../../scenarios/name.ts';
import { casesOf, scenarioChecks } from '../../scenarios/suite/checks.ts';
import type { Plugin } from './load.ts';

export interface PluginFinding {
  /** Of the scenario, with its settings, the reader or the model kind. */
  readonly name: string;
  readonly check: string;
  readonly problem: string;
}

/** Tries a loaded plugin: its scenarios by the suite that our own pass, its readers on a folder that is not theirs. */
export async function checkPlugin({ scenarios, readers }: Plugin): Promise<PluginFinding[]> {
  const findings: PluginFinding[] = [];
  for (const named of scenarios.flatMap(casesOf)) findings.push(...(await checkNamed(named)));
  for (const reader of readers) findings.push(...(await checkReader(reader)));
  return findings;
}

async function checkNamed(named: NamedScenario): Promise<PluginFinding[]> {
  const findings: PluginFinding[] = [];
  for (const { title, run } of scenarioChecks) {
    const problems = await run(named).catch((error: unknown) => [
      `it throws ${error instanceof Error ? error.message : String(error)}`,
    ]);
    findings.push(...problems.map((problem) => ({ name: named.name, check: title, problem })));
  }
  return findings;
}

const readerCheck = 'does not take an empty folder for its own';

async function checkReader({ id, detect }: Reader): Promise<PluginFinding[]> {
  const path = await mkdtemp(join(tmpdir(), 'sceneshift-empty-'));
  try {
    const sure = await detect({ path, isFile: false, listing: { files: [], folders: [] } });
    if (sure === 0) return [];
    return [{ name: id, check: readerCheck, problem: `detect answers ${JSON.stringify(sure)}, not 0` }];
  } catch (error) {
    return [{ name: id, check: readerCheck, problem: `detect throws ${(error as Error).message}` }];
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
