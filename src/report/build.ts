import type { ScoredRun } from '../metrics/score-run.ts';
import { loadReportData, type ReportData } from './data/load.ts';
import type { Report, Section } from './document.ts';
import { dropsSection } from './sections/drops.ts';
import { hardestSection } from './sections/hardest.ts';
import { methodSection } from './sections/method.ts';
import { miningSection } from './sections/mining.ts';
import { picturesSection } from './sections/pictures.ts';
import { regressionSection } from './sections/regression.ts';
import { remediesSection } from './sections/remedies-section.ts';
import { saliencySection } from './sections/saliency.ts';
import { scoresSection } from './sections/scores.ts';
import { segmentationSection } from './sections/segmentation.ts';
import { trainingSection } from './sections/training.ts';
import { verdictSection } from './sections/verdict.ts';
import { count } from './show.ts';

/** The sections in their order; one without data is left out. */
const sections: readonly ((data: ReportData) => Section | null)[] = [
  verdictSection,
  scoresSection,
  picturesSection,
  dropsSection,
  regressionSection,
  hardestSection,
  saliencySection,
  trainingSection,
  remediesSection,
  segmentationSection,
  miningSection,
  methodSection,
];

export interface Built {
  readonly report: Report;
  /** What it was made from; absent for a page that is not about a run. */
  readonly data?: ReportData;
  /** Of Sceneshift, as the run was made. */
  readonly version?: string;
}

/** A run folder as a report, not yet written as anything. */
export async function buildReport(run: string, scored?: ScoredRun): Promise<Built> {
  const data = await loadReportData(run, scored);
  return { data, report: reportOf(data), version: data.record.sceneshift };
}

export function reportOf(data: ReportData): Report {
  const { record, models, scenarios } = data;
  const date = record.started?.slice(0, 10);
  const parts = [
    count(models.length || record.models.length, 'model'),
    count(scenarios.length || record.scenarios.length, 'scenario'),
    record.data?.samples === undefined ? '' : count(record.data.samples, 'photograph'),
    record.data?.classes?.length ? count(record.data.classes.length, 'class', 'classes') : '',
    date ?? '',
  ];
  return {
    title: 'Does it recognise the object, or the scene around it?',
    subtitle: [data.name, ...parts.filter(Boolean)].join(' · '),
    sections: sections.flatMap((section) => section(data) ?? []),
  };
}
