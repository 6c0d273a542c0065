import { isCounted } from '../../metrics/counted.ts';
import { originalScenario } from '../data/answers.ts';
import { hardestClasses } from '../data/classes.ts';
import { commonConfusions } from '../data/confusions.ts';
import type { ReportData } from '../data/load.ts';
import { lostSamples } from '../data/lost.ts';
import type { Block, Section } from '../document.ts';
import { confusionTable } from '../tables/confusions.ts';
import { hardestTable } from '../tables/hardest.ts';
import { lostTable } from '../tables/lost.ts';

export function hardestSection({ answers, classes }: ReportData): Section | null {
  if (!answers) return null;
  const blocks: Block[] = [];
  const hardest = hardestClasses(
    classes.filter(({ scenario }) => scenario === originalScenario || isCounted(scenario)),
  );
  if (hardest.length > 1) blocks.push({ kind: 'table', table: hardestTable(hardest) });
  const confusions = commonConfusions(answers);
  if (confusions.length) blocks.push({ kind: 'table', table: confusionTable(confusions) });
  const lost = lostSamples(answers, { counts: (scenario) => scenario === originalScenario || isCounted(scenario) });
  if (lost.length) blocks.push({ kind: 'table', table: lostTable(lost) });
  return blocks.length ? { id: 'hardest', title: 'Where to look', blocks } : null;
}
