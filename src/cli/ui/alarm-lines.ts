import type { Alarm } from '../../contracts/verdict.ts';

const mostAlarms = 3;

/** Each by itself while they are few; else one line for all of a kind. */
export function alarmLines(alarms: readonly Alarm[]): string[] {
  if (alarms.length <= mostAlarms) return alarms.map(({ words }) => `‼ ${words}`);
  return [...new Set(alarms.map(({ kind }) => kind))].map((kind) => {
    const own = alarms.filter((alarm) => alarm.kind === kind);
    return `‼ ${own[0].words}${
      own.length > 1
        ? ` The same of ${own.length - 1} more: ${own
            .slice(1)
            .map(({ model }) => model)
            .join(', ')}.`
        : ''
    }`;
  });
}
