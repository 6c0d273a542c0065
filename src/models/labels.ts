import type { ModelDescription } from './define.ts';

/**
 * A model without a list of labels and with as many outputs as the dataset has classes: most training tools number
 * folders in alphabetical order, so that order is taken, and said.
 */
export function assumeClassOrder<D extends ModelDescription>(description: D, classes: readonly string[]): D {
  const { labels, labelMap, outputCount, kind, name } = description;
  if (labels || labelMap || kind !== 'classifier' || classes.length < 2 || outputCount !== classes.length)
    return description;
  const sorted = [...classes].sort();
  return {
    ...description,
    labels: sorted,
    labelsFrom: "the dataset's classes in alphabetical order (assumed)",
    identity: { ...description.identity, labels: sorted },
    warnings: [
      ...description.warnings,
      `no list of labels: the ${outputCount} outputs of ${name} are taken for the dataset's classes in alphabetical order (${sorted.slice(0, 3).join(', ')}${sorted.length > 3 ? ', …' : ''})`,
    ],
  };
}
