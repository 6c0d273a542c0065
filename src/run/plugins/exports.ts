import { expected, UserError } from '../../contracts/errors.ts';
import type { Reader } from '../../dataset/index.ts';
import type { ModelKind } from '../../models/define.ts';
import type { Scenario } from '../../scenarios/registry.ts';

interface Declarations {
  readonly scenarios: readonly Scenario[];
  readonly readers: readonly Reader[];
  readonly models: readonly ModelKind[];
}

const has = (value: object, ...fields: string[]) => fields.some((field) => field in value);

/** What a module exports, told apart by the fields that only one kind of declaration has; lists are taken apart. */
export function sortExports(module: Record<string, unknown>, file: string): Declarations {
  const scenarios: Scenario[] = [];
  const readers: Reader[] = [];
  const models: ModelKind[] = [];
  for (const [name, exported] of Object.entries(module))
    for (const value of new Set(Array.isArray(exported) ? exported : [exported])) {
      // Functions and constants may be exported for the plugin's own tests.
      if (typeof value !== 'object' || value === null || !has(value, 'id', 'apply', 'detect', 'open')) continue;
      if (has(value, 'apply', 'params')) scenarios.push(value as Scenario);
      else if (has(value, 'detect', 'read')) readers.push(value as Reader);
      else if (has(value, 'open', 'describes')) models.push(value as ModelKind);
      else
        throw new UserError(
          `The plugin ${file} exports '${name}', which is neither a scenario, a reader nor a model kind; make it with defineScenario, defineReader or defineModel`,
        );
    }
  if (!scenarios.length && !readers.length && !models.length)
    throw new UserError(
      `The plugin ${file} exports no scenario, reader or model kind; export what defineScenario, defineReader or defineModel return`,
    );
  return {
    scenarios: [...new Set(scenarios)],
    readers: [...new Set(readers)],
    models: [...new Set(models)],
  };
}

/** A plugin may be plain JavaScript, so what the compiler would check is checked here. */
export function checkModelKind(kind: ModelKind): void {
  const name = `the model kind ${typeof kind.id === 'string' ? kind.id : ''}`.trim();
  if (typeof kind.id !== 'string' || !/^[a-z][\w-]+$/.test(kind.id) || kind.id === 'hf')
    throw expected('an id of two small letters or more, other than hf', name, kind.id);
  for (const field of ['title', 'written'] as const)
    if (typeof kind[field] !== 'string' || !kind[field]) throw expected(`a text (${field})`, name, kind[field]);
  if (!Array.isArray(kind.describes) || !kind.describes.length)
    throw expected('a list of the kinds that its descriptions have (describes)', name, kind.describes);
  for (const field of ['describe', 'open'] as const)
    if (typeof kind[field] !== 'function') throw expected(`a function (${field})`, name, kind[field]);
}
