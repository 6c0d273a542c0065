const mostParts = 8;

/** How samples of two sources are brought to one name: as they are, or by the last parts of their paths. */
export interface SampleNames {
  readonly parts: number | undefined;
  name(sample: string): string;
}

/**
 * A sample is called by its path relative to its dataset, and the manifest of made masks lies in another folder than the
 * photographs': the same picture is then `a/1.jpg` here and `../photos/a/1.jpg` there. Where no name is in both, the
 * fewest last parts that tell the samples of each side apart stand for the whole.
 */
export function sampleNames(a: readonly string[], b: readonly string[]): SampleNames {
  const known = new Set(a);
  if (b.some((sample) => known.has(sample))) return { parts: undefined, name: (sample) => sample };
  for (let parts = 1; parts <= mostParts; parts++) {
    const name = (sample: string) => sample.split('/').slice(-parts).join('/');
    const [ofA, ofB] = [a, b].map((samples) => new Set(samples.map(name)));
    if (ofA.size < a.length || ofB.size < b.length) continue;
    if ([...ofB].some((sample) => ofA.has(sample))) return { parts, name };
  }
  return { parts: undefined, name: (sample) => sample };
}
