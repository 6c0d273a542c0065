import { type Accuracies, find, mean } from './accuracies.ts';

/** The paper's columns, each with our scenario and the names its own data and tables use. */
const columns = {
  Inver: ['inversion', 'paste-back', 'Inver', 'inver'],
  '-20': ['complexity-diffusion:-20', 'complexity:-20', '-20'],
  '20': ['complexity-diffusion:20', 'complexity:20', '20'],
  '20adv': ['complexity-diffusion:20-adv', '20adv', '20-adv'],
  Rand: ['random-background', 'Rand', 'rand_bg'],
  Full: ['size:full', 'Full', 'full'],
  '0.1': ['size:areaShare=0.1+blend=diffusion', 'size:0.1', '0.1'],
  '0.08': ['size:areaShare=0.08+blend=diffusion', 'size:0.08', '0.08'],
  '0.05': ['size:areaShare=0.05+blend=diffusion', 'size:0.05', '0.05'],
  rp: ['position:blend=diffusion', 'position', 'rp'],
  rd: ['direction:blend=diffusion', 'direction', 'rd'],
} as const;
type Column = keyof typeof columns;

const groups: Record<'background' | 'size' | 'position' | 'direction', readonly Column[]> = {
  // The paper's group means count the inversion control with the backgrounds, its average over all does not.
  background: ['Inver', '-20', '20', '20adv', 'Rand'],
  size: ['Full', '0.1', '0.08', '0.05'],
  position: ['rp'],
  direction: ['rd'],
};

export interface ImagenetE {
  /** Drop of top-1 per column that is there. */
  readonly drops: Partial<Record<Column, number>>;
  readonly groups: Partial<Record<keyof typeof groups, number>>;
  /** Over the edits without the control; `null` unless at least size, position and direction are there. */
  readonly average: number | null;
  /** Columns of the paper that are not there. */
  readonly missing: Column[];
}

/** ImageNet-E's drop table and its averages (Li et al., 2023). */
export function imagenetE(accuracies: Accuracies): ImagenetE | null {
  const original = find(accuracies, 'original', 'ori');
  if (original === undefined) return null;
  const drops: Partial<Record<Column, number>> = {};
  for (const column of Object.keys(columns) as Column[]) {
    const accuracy = find(accuracies, ...columns[column]);
    if (accuracy !== undefined) drops[column] = original - accuracy;
  }
  const present = Object.keys(drops) as Column[];
  if (!present.some((column) => groups.size.includes(column) || column === 'rp' || column === 'rd')) return null;
  const edits = present.filter((column) => column !== 'Inver').map((column) => drops[column] as number);
  const enough = [groups.size, groups.position, groups.direction].every((group) =>
    group.some((column) => column in drops),
  );
  return {
    drops,
    groups: Object.fromEntries(
      Object.entries(groups).flatMap(([group, members]) => {
        const values = members.flatMap((column) => drops[column] ?? []);
        return values.length ? [[group, mean(values)]] : [];
      }),
    ),
    average: enough ? mean(edits) : null,
    missing: (Object.keys(columns) as Column[]).filter((column) => !(column in drops)),
  };
}
