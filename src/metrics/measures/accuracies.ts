/** One model's accuracy on every scenario, as fractions. */
export type Accuracies = ReadonlyMap<string, { readonly accuracy: number; readonly n: number }>;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The accuracy under the first of several names that is there. */
export function find(accuracies: Accuracies, ...names: string[]): number | undefined {
  for (const name of names) {
    const found = accuracies.get(name);
    if (found) return found.accuracy;
  }
  return undefined;
}
