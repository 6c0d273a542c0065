import { fixedOf } from '../contracts/numbers.ts';
import { escapeMarkdown } from '../formats/escape.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import type { GateResult } from '../metrics/gates.ts';

/** A table for a pull request, failures first. */
export function gatesMarkdown(results: readonly GateResult[]): string {
  const failed = results.filter((result) => !result.passed).length;
  const sorted = [...results].sort((a, b) => Number(a.passed) - Number(b.passed));
  const rows = sorted.map(({ gate, model, scenario, class: className, value, held, passed }) => {
    const limit = [gate.min !== undefined && `≥ ${gate.min}`, gate.max !== undefined && `≤ ${gate.max}`]
      .filter(Boolean)
      .join(', ');
    const cells = [
      passed ? '✅' : '❌',
      model,
      scenario ?? '',
      shownLabel(className ?? ''),
      `${gate.metric}${gate.relative ? ' (relative)' : ''}`,
      fixedOf(value, 4),
    ];
    return [...cells, gate.bound === 'confidence' ? fixedOf(held, 4) : '', limit].map(escapeMarkdown).join(' | ');
  });
  return [
    `**${failed ? `${failed} of ${results.length} gates failed` : `All ${results.length} gates hold`}**`,
    '',
    '| | model | scenario | class | metric | value | 95 % bound | limit |',
    '|---|---|---|---|---|---:|---:|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}
