import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expected } from '../../contracts/errors.ts';
import { embeddedModel } from '../../generate/diffusion/embedded.ts';
import { openDiffusionProvider } from '../../generate/diffusion/provider.ts';
import type { Provider } from '../../generate/provider.ts';
import { commandProvider, folderProvider, httpProviders, readProvider } from '../../generate/providers/index.ts';
import { splitCommand } from '../../models/command/argv.ts';
import { threadsFrom } from '../../run/inputs.ts';
import { localModel } from '../../storage/models.ts';
import { resolvePlace } from '../../storage/s3-url.ts';
import type { GenerateValues } from './options.ts';

/** What makes the pictures. */
export async function openProvider(values: GenerateValues): Promise<Provider> {
  const choice = readProvider(values.provider);
  if (choice.kind === 'folder') return folderProvider(resolve(choice.folder));
  if (choice.kind === 'command') return commandProvider(splitCommand(choice.line));
  if (choice.kind === 'diffusion')
    return openDiffusionProvider({
      folder: await diffusionFolder(values.diffusion ?? choice.folder),
      threads: threadsFrom(values.threads),
      scheduler: values.scheduler,
      steps: values.steps,
      guidance: values.guidance,
    });
  const workflow = values.workflow && JSON.parse(await readFile(values.workflow, 'utf8'));
  return httpProviders[choice.id]({
    url: values.url,
    model: values['provider-model'],
    settings: settingsFrom(values.set),
    workflow,
  });
}

/** The model that was named, on this disk, or the embedded one. */
export const diffusionFolder = async (given: string | undefined): Promise<string> =>
  given ? localModel(resolvePlace(given)) : embeddedModel();

/** `steps=30` becomes the number 30, `quality=high` stays a word. */
function settingsFrom(pairs: readonly string[] | undefined): Record<string, string | number | boolean> {
  return Object.fromEntries(
    (pairs ?? []).map((pair) => {
      const [name, ...rest] = pair.split('=');
      const text = rest.join('=');
      if (!name || !rest.length) throw expected('NAME=VALUE', '--set', pair);
      const value =
        text === 'true' || text === 'false'
          ? text === 'true'
          : text !== '' && Number.isFinite(Number(text))
            ? Number(text)
            : text;
      return [name, value];
    }),
  );
}
