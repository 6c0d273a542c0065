import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../../src/contracts/random.ts';
import { readCsvRows } from '../../../src/formats/csv-rows.ts';
import { loadScores } from '../../../src/metrics/table/load.ts';
import { readTable } from '../../../src/models/read-table.ts';
import type { FuzzTarget } from '../fuzz.ts';
import { disturbText, oddNumber, oddText } from '../grammar.ts';

const usual: Record<string, readonly string[]> = {
  model: ['a', 'b'],
  scenario: ['original', 'grey'],
  label: ['cat', 'dog'],
  prediction: ['cat', 'dog'],
  probability: ['0.5', '1'],
  accuracy: ['0', '0.25', '1'],
  n: ['10'],
};
function cell(name: string, random: Random): string {
  if (random.uniform() < 0.93) return random.pick(usual[name] ?? [String(random.integer(1, 9))]);
  return /acc|prob|^n$/.test(name) ? String(oddNumber(random)) : JSON.stringify(oddText(random));
}

/** Predictions and accuracies, as `score`, `analyze` and `predictions:` read them. */
export const tablesTarget: FuzzTarget = {
  name: 'tables',
  make(random) {
    const separator = random.pick([',', ';', '\t']);
    const predictions = random.uniform() < 0.6;
    const header = predictions ? 'model,scenario,sample,label,prediction,probability' : 'model,scenario,accuracy,n';
    const rows = Array.from({ length: random.integer(0, 6) }, () =>
      header.split(',').map((name) => cell(name, random)),
    );
    const text = [header.split(','), ...rows]
      .map((cells) => cells.join(separator))
      .join(random.pick(['\n', '\r\n', '\r']));
    return { 'table.csv': random.uniform() < 0.5 ? disturbText(text, random) : text };
  },
  async feed(input) {
    const root = mkdtempSync(join(tmpdir(), 'sceneshift-fuzz-'));
    try {
      const file = join(root, 'table.csv');
      writeFileSync(file, input['table.csv']);
      for (const { cells } of readCsvRows(input['table.csv']))
        if (!cells.length) throw new Error('a row without cells');
      await Promise.allSettled([readTable(file)]).then(([outcome]) => {
        if (outcome.status === 'rejected' && outcome.reason?.name !== 'UserError') throw outcome.reason;
      });
      await loadScores(file);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};
