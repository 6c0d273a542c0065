import type { RemedyComparison } from '../../contracts/remedies.ts';
import { writeAtomic } from '../../run/atomic.ts';
import type { FeatureStore } from '../../run/feature-store.ts';
import type { FeaturePlan } from '../feature-plan.ts';
import { type FittedHead, fitHeads } from '../fit-heads.ts';
import { predictHead } from '../head.ts';
import { rowsOf } from '../head-plan.ts';
import { loadHead } from '../head-store.ts';
import { compareRemedies } from './compare-remedies.ts';
import type { Outcomes, RemedyTrial } from './outcomes.ts';
import { viewTitle } from './remedies.ts';

export const helpsFile = 'helps.json';
const plainHead = 'original';

export interface HeadHelpsOptions {
  readonly run: string;
  readonly model: string;
  readonly plan: FeaturePlan;
  readonly features: FeatureStore;
  readonly heads: readonly FittedHead[];
  readonly classes: readonly string[];
  readonly strength?: number;
  readonly threads: number;
  readonly signal?: AbortSignal;
}

/**
 * What helps the head trained on the unedited pictures: heads trained on several scenarios together, the object shown
 * otherwise at test time, and shown so in training too. Every image is answered by heads that never saw it.
 */
export async function headRemedies(options: HeadHelpsOptions): Promise<RemedyComparison> {
  const { run, model, plan, features, heads, classes, strength, threads, signal } = options;
  const plain = heads.find(({ name }) => name === plainHead);
  if (!plain) throw new Error('no head was trained on the unedited pictures');
  const views = [...new Set(plan.wanted.map(({ view }) => view))].filter((view) => view !== 'plain');
  const shown = await fitHeads({
    run,
    plan,
    store: features,
    heads: views.map((view) => ({ name: plainHead, scenarios: [plainHead], view })),
    classes,
    strength,
    threads,
    signal,
  });
  const answered = (head: FittedHead, view: string) => answersOf(options, head, view);
  const trials: RemedyTrial[] = [];
  for (const head of heads.filter(({ scenarios }) => scenarios.length > 1))
    trials.push({
      remedy: `on ${head.name}`,
      title: head.name === 'mix' ? 'trained on all scenarios' : `trained on ${head.scenarios.join(', ')}`,
      when: 'training',
      outcomes: await answered(head, 'plain'),
    });
  for (const view of views)
    trials.push({ remedy: view, title: viewTitle(view), when: 'test', outcomes: await answered(plain, view) });
  for (const [i, view] of views.entries())
    trials.push({
      remedy: `${view} always`,
      title: `${viewTitle(view)}, in training too`,
      when: 'both',
      outcomes: await answered(shown[i], view),
    });
  const groups = new Map(plan.plannedSamples.map(({ sample }) => [sample.id, sample.group]));
  const helps = compareRemedies({
    model,
    plain: 'head trained on the unedited pictures',
    outcomes: await answered(plain, 'plain'),
    trials,
    groupOf: (sample) => groups.get(sample),
  });
  await writeAtomic(run, helpsFile, `${JSON.stringify(helps, null, 2)}\n`);
  return helps;
}

/** Right or wrong by scenario and sample; each sample is answered by the head that was trained without its fold. */
async function answersOf(
  { run, plan, features, classes }: HeadHelpsOptions,
  head: FittedHead,
  view: string,
): Promise<Outcomes> {
  const outcomes = new Map<string, Map<string, boolean>>();
  const scenarios = plan.wanted.filter((wanted) => wanted.view === view).map(({ scenario }) => scenario);
  const forms = await Promise.all(head.keys.map((key) => loadHead(run, key)));
  for (const scenario of scenarios) {
    const rows = rowsOf(plan, { name: scenario, scenarios: [scenario] }, features.has, view);
    const set = { data: features.read(rows.keys), n: rows.keys.length, d: features.d };
    const own = new Map<string, boolean>();
    for (const [fold, { head: form }] of forms.entries()) {
      const held = Array.from(rows.folds.keys()).filter((row) => rows.folds[row] === fold);
      const scores = predictHead(form, set, held);
      for (const [i, row] of held.entries()) {
        const part = scores.subarray(i * classes.length, (i + 1) * classes.length);
        const best = part.reduce((top, score, k) => (score > part[top] ? k : top), 0);
        own.set(plan.plannedSamples[rows.sampleIndexes[row]].sample.id, best === rows.classes[row]);
      }
    }
    if (own.size) outcomes.set(scenario, own);
  }
  return outcomes;
}
