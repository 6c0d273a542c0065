import { basename } from 'node:path';
import { expected, UserError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import { stemOf } from './files.ts';

const hint = "write name, a pattern like 'LABEL_*', or a regular expression between slashes, /^(.+)_\\d+$/";

/**
 * A rule that finds the label in a file's name: `name` (the name without its number: `Persian_12.jpg` → Persian), a
 * pattern in which `LABEL` is the label and `*` anything, or `/…/`, whose first group is the label.
 */
export function labelRule(rule: string): (file: string) => string | undefined {
  const found = expressionOf(rule);
  return (file) => {
    const label = found.exec(stemOf(basename(file)))?.[1]?.trim();
    return label || undefined;
  };
}

function expressionOf(rule: string): RegExp {
  if (rule === 'name') return /^(.*?)[\s_.-]*\(?\d+\)?$/;
  const written = /^\/(.*)\/([iu]*)$/s.exec(rule);
  if (written) {
    if (!/\((?!\?[:=!])/.test(written[1]))
      throw expected('a group, (…), that is the label', '--label-from', rule, hint);
    try {
      return new RegExp(written[1], written[2]);
    } catch (cause) {
      throw new UserError(`--label-from ${rule} is no regular expression: ${(cause as Error).message}; ${hint}`);
    }
  }
  if (rule.split('LABEL').length !== 2) throw expected('one LABEL in the pattern', '--label-from', rule, hint);
  const parts = rule.split(/(LABEL|\*)/).map((part) => {
    if (part === 'LABEL') return '(.+?)';
    return part === '*' ? '.*' : part.replaceAll(/[.+?^${}()|[\]\\/]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** Labels from the files' names instead of any others; outputs that were given for other labels go with them. */
export function relabel(samples: readonly Sample[], rule: string): { samples: Sample[]; notes: string[] } {
  const labelOf = labelRule(rule);
  const named = samples.map(({ targets: _targets, label: _label, ...sample }): Sample => {
    const label = labelOf(sample.image);
    return { ...sample, ...(label !== undefined && { label }) };
  });
  const without = named.filter(({ label }) => label === undefined);
  if (without.length && without.length === named.length)
    throw expected(
      'a rule that fits the files',
      '--label-from',
      rule,
      `it finds no label in ${basename(without[0].image)}`,
    );
  const notes = without.length
    ? [
        `--label-from ${rule} finds no label in ${without.length} of ${named.length} names (${basename(without[0].image)}, …)`,
      ]
    : [];
  return { samples: named, notes };
}
