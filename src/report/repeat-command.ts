import type { RunRecord } from '../contracts/run-record.ts';

const options: [key: string, option: string][] = [
  ['data', '--data'],
  ['plugins', '--plugin'],
  ['layout', '--layout'],
  ['masks', '--masks'],
  ['labelFrom', '--label-from'],
  ['objects', '--objects'],
  ['border', '--border'],
  ['edges', '--edges'],
  ['growMask', '--grow-mask'],
  ['editDefects', '--edit-defects'],
  ['decode', '--decode'],
  ['models', '--model'],
  ['scenarios', '--scenarios'],
  ['controls', '--no-controls'],
  ['backgrounds', '--backgrounds'],
  ['generated', '--generated'],
  ['seed', '--seed'],
  ['limit', '--limit'],
  ['sample', '--sample'],
  ['folds', '--folds'],
  ['maxErrors', '--max-errors'],
  ['maxPixels', '--max-pixels'],
  ['margin', '--margin'],
];
/** Settings that change no stored row, or concern a finished run (gates): not part of the command. */
const beside = new Set(['$schema', 'out', 'threads', 'batch', 'gates']);
const unset: Record<string, unknown> = {
  objects: 'largest',
  border: 'ignore',
  edges: 'matte',
  growMask: 0,
  editDefects: false,
  controls: true,
  decode: 'pillow',
  maxErrors: 0.1,
  maxPixels: 100_000_000,
};

/** The settings as `sceneshift.yaml`, those left at their defaults left out. */
export async function repeatYaml({ config }: RunRecord): Promise<string | null> {
  if (!config) return null;
  const { stringify } = await import('yaml');
  const kept = Object.entries(config).filter(([key, value]) => isSet(key, value));
  return stringify(Object.fromEntries(kept)).trimEnd();
}

const isSet = (key: string, value: unknown) =>
  value !== undefined && value !== null && value !== unset[key] && !(Array.isArray(value) && value.length === 0);

/** The command that gives this run again; null where its settings do not fit on a command line. */
export function repeatCommand({ config, training }: RunRecord): string | null {
  if (!config) return null;
  const sayable = new Set([...options.map(([key]) => key), ...beside]);
  if (Object.entries(config).some(([key, value]) => isSet(key, value) && !sayable.has(key))) return null;
  const trained = (training as { asked?: Record<string, unknown> } | undefined)?.asked;
  if (trained && config.margin !== undefined) return null;
  const words = [trained ? 'sceneshift train' : 'sceneshift run'];
  for (const [key, option] of options) {
    const value = config[key];
    if (!isSet(key, value)) continue;
    if (key === 'models') {
      const models = value as unknown[];
      if (!models.every((model) => typeof model === 'string')) return null;
      words.push(...models.map((model) => `${trained ? '--backbone' : option} ${quoted(model as string)}`));
    } else if (key === 'plugins') words.push(...(value as string[]).map((file) => `${option} ${quoted(file)}`));
    else if (typeof value === 'boolean') words.push(option);
    else words.push(`${option} ${quoted(Array.isArray(value) ? value.join(',') : String(value))}`);
  }
  for (const [option, value] of Object.entries(trained ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) words.push(`--${option} ${quoted(String(one))}`);
  words.push('--out RUN');
  return words.join(' \\\n  ');
}

const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
