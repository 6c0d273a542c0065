import { expected, UserError } from '../../contracts/errors.ts';

interface ModelsOf {
  readonly source: string;
  readonly models: readonly string[];
}

/** The models named; else every model both have; else the only one of each. Without `b`: two models of `a`. */
export function modelPairs(a: ModelsOf, b: ModelsOf | undefined, named: string | undefined): [string, string][] {
  const [inA, inB] = [a.models, (b ?? a).models];
  if (named !== undefined) {
    const both = splitNames(named).find(([first, second]) => inA.includes(first) && inB.includes(second));
    if (both) return [both];
    const [first, second, ...more] = named.split(',').map((name) => name.trim());
    if (!first || !second || more.length > 0) throw expected('two models, A,B', '--models', named);
    if (!inA.includes(first)) throw expected(`one of ${inA.join(', ')}`, 'the first of --models', first);
    throw expected(`one of ${inB.join(', ')}`, 'the second of --models', second);
  }
  if (!b) {
    if (inA.length === 2) return [[inA[0], inA[1]]];
    throw new UserError(`${a.source} has ${inA.length} models (${inA.join(', ')}); say which two with --models A,B`);
  }
  const common = inA.filter((model) => inB.includes(model));
  if (common.length > 0) return common.map((model) => [model, model]);
  if (inA.length === 1 && inB.length === 1) return [[inA[0], inB[0]]];
  throw new UserError(
    `No model is in both: A has ${inA.join(', ')}; B has ${inB.join(', ')}; say which with --models A,B`,
  );
}

/** Splits at every comma in turn, since a model's name may contain commas. */
function splitNames(named: string): [string, string][] {
  const parts = named.split(',');
  return parts.slice(1).map((_, i) => [
    parts
      .slice(0, i + 1)
      .join(',')
      .trim(),
    parts
      .slice(i + 1)
      .join(',')
      .trim(),
  ]);
}
