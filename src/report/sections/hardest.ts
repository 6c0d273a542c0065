import { commonConfusions } from '../../metrics/answers/common-confusions.ts';
import { hardestClasses } from '../../metrics/answers/hardest-classes.ts';
import { lostSamples } from '../../metrics/answers/lost-samples.ts';
import { isCounted } from '../../metrics/counted.ts';
import { originalScenario } from '../../metrics/table/cells.ts';
import type { ReportData } from '../data/load.ts';
import type { Block, Section } from '../document.ts';
import { confusionTable } from '../tables/confusions.ts';
import { hardestTable } from '../tables/hardest.ts';
import { lostTable } from '../tables/lost.ts';

export function hardestSection({ answers, classes }: Pick<ReportData, 'answers' | 'classes'>): Section | null {
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
