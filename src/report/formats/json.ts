import { commonConfusions } from '../../metrics/answers/common-confusions.ts';
import { hardestClasses } from '../../metrics/answers/hardest-classes.ts';
import { lostSamples } from '../../metrics/answers/lost-samples.ts';
import type { Built } from '../build.ts';
import { tablesOf } from '../document.ts';
import { verdictSentences } from '../sections/verdict.ts';
import { inlineText } from './inline.ts';

/** Everything behind the report, as data. */
export function reportJson({ data, report }: Built): string {
  if (!data)
    return `${JSON.stringify({ ...report, tables: tablesOf(report).map(({ id, rows }) => ({ id, rows })), sections: undefined }, null, 2)}\n`;
  const { name, record, score, models, scenarios, analysis, classes, folds, answers, errors, training } = data;
  const value = {
    run: name,
    verdict: verdictSentences(data).map(inlineText),
    models,
    scenarios,
    score,
    analysis,
    classes,
    folds,
    training,
    hardest: hardestClasses(classes),
    confusions: answers ? commonConfusions(answers) : [],
    lost: answers ? lostSamples(answers) : [],
    leftOut: errors,
    record,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
