import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expected } from '../../contracts/errors.ts';
import type { ExportOptions } from '../../server/export/export-site.ts';
import type { Workspace } from '../../server/workspace.ts';
import { defineCommand } from '../command.ts';
import { readBenchmark } from '../demo/benchmark.ts';
import { openFile } from '../open-file.ts';
import { dataOptions } from '../options.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';
import { version } from '../version.ts';

/** Seen from dist/, where the command line and the page are built to. */
const pageFolder = fileURLToPath(new URL('./studio', import.meta.url));
const usualPort = 4600;

export const studio = defineCommand({
  name: 'studio',
  summary: 'The web app over runs and datasets: explore, compare, try, annotate, review.',
  args: ['[PATH…]'],
  options: {
    port: { type: 'number', describe: `port to listen on (default ${usualPort}; 0: any free one)` },
    host: {
      type: 'string',
      value: 'ADDRESS',
      default: '127.0.0.1',
      describe: 'address to bind to; others than this machine ask for a token',
    },
    token: {
      type: 'string',
      describe: 'ask for this token (by default a random one where --host is not this machine)',
    },
    runs: { type: 'string', value: 'DIR', default: 'runs', describe: 'folder that new runs are written to' },
    model: {
      type: 'string',
      value: 'MODEL',
      multiple: true,
      describe: 'a model that runs can be started with, beside those of the runs given',
    },
    masks: { type: 'string', value: 'DIR', describe: 'folder of masks parallel to the images of the dataset given' },
    layout: dataOptions.layout,
    'label-from': dataOptions['label-from'],
    'masks-to': {
      type: 'string',
      value: 'DIR',
      describe: 'folder that masks drawn here are saved to (default NAME-masks beside the dataset)',
    },
    'mask-model': {
      type: 'string',
      value: 'FILE',
      describe: 'salient-object ONNX model that finds objects in Annotate, as mask --model takes it',
    },
    queue: { type: 'string', value: 'URL', describe: 'redis://HOST[:PORT]: show what its workers do' },
    annotate: { type: 'boolean', describe: 'begin with the masks of the dataset given, the worst first' },
    export: {
      type: 'string',
      value: 'DIR',
      describe: 'write a read-only site of the runs to DIR instead, for any web server',
    },
    open: { type: 'boolean', describe: 'open it in the browser' },
  },
  examples: [
    'sceneshift studio demo --open',
    'sceneshift studio runs photos/manifest.csv --model resnet50.onnx',
    'sceneshift studio photos/ --annotate --open',
    'sceneshift studio runs/first --export site',
  ],
  async run(values, paths) {
    const { port = usualPort, host, token: given, runs, model, export: site, open, json } = values;
    if (!Number.isInteger(port) || port < 0 || port > 65535) throw expected('a port, 0 to 65535', '--port', port);
    if (given !== undefined && given.length < 16) throw expected('16 characters or more', '--token', given);
    if (values.queue !== undefined) (await import('../../run/queue/connection.ts')).queueConnection(values.queue);
    const { createStudio } = await import('../../server/app.ts');
    const { localHosts } = await import('../../server/guard.ts');
    const { readPage } = await import('../../server/page.ts');
    const { serveStudio } = await import('../../server/serve.ts');
    const { createTools } = await import('../../server/tools.ts');
    const isLocal = ['127.0.0.1', 'localhost', '::1'].includes(host);
    const token = given ?? (isLocal ? undefined : randomBytes(24).toString('base64url'));
    const { workspace, models, spareModels } = await whatToOpen(paths, runs, model, values['masks-to']);
    const dataset = values.annotate ? await datasetToAnnotate(workspace) : undefined;
    const tools = createTools([process.execPath, ...process.execArgv, process.argv[1]]);
    const page = await readPage(pageFolder);
    if (site !== undefined) return exportTo(site, { workspace, page, tools }, json);
    const app = createStudio({
      workspace,
      page,
      version: version(),
      tools,
      models,
      spareModels,
      queue: values.queue,
      annotate: {
        reading: {
          masks: values.masks && resolve(values.masks),
          layout: values.layout,
          labelFrom: values['label-from'],
        },
        isChosen: values['masks-to'] !== undefined,
        model: values['mask-model']
          ? await (await import('../salient-model.ts')).salientModel(values['mask-model'])
          : undefined,
      },
      hosts: isLocal ? localHosts : undefined,
      token,
    });
    const served = await serveStudio(app, { host, port });
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${served.port}/${token ? `?token=${token}` : ''}${dataset === undefined ? '' : `#/annotate/${encodeURIComponent(dataset)}`}`;
    process.stdout.write(
      json ? `${JSON.stringify({ address, port: served.port })}\n` : `Studio: ${address}  (Ctrl+C ends it)\n`,
    );
    if (open) await openFile(address);
    if (!values.annotate) void app.prepare();
    await interrupted();
    await served.close();
  },
});

async function exportTo(site: string, options: Omit<ExportOptions, 'out'>, json: boolean): Promise<undefined> {
  const { exportSite } = await import('../../server/export/export-site.ts');
  const progress = createProgress({ title: 'export', noun: 'pictures', total: 0 });
  const exported = await exportSite({ ...options, out: resolve(site), onProgress: progress.update });
  const missing = exported.missing ? `, ${exported.missing} could not be made` : '';
  progress.finish(`${exported.pictures} pictures of ${exported.runs.join(', ')}${missing}`);
  print(json, { site: resolve(site), ...exported }, () => `Site: ${resolve(site)} (serve it with any web server)`);
}

async function datasetToAnnotate({ datasets, isGiven }: Workspace): Promise<string> {
  const dataset = (await datasets()).find(({ path }) => isGiven(path));
  if (!dataset) throw expected('a dataset to draw masks for', 'PATH', undefined, 'name its folder or manifest');
  return dataset.id;
}

/** Where there is nothing to look at, the embedded benchmark with its models, so that pictures can be tried. */
async function whatToOpen(paths: readonly string[], runsFolder: string, models: readonly string[], masksTo?: string) {
  const { openWorkspace } = await import('../../server/workspace.ts');
  const workspace = await openWorkspace({ paths: paths.length ? paths : usualPaths(), runsFolder, masksTo });
  const benchmark = await readBenchmark().catch(() => undefined);
  const spareModels = benchmark?.models ?? [];
  if (paths.length || !benchmark || (await workspace.runs()).length) return { workspace, models, spareModels };
  // Masks drawn for it go here, not into the package.
  const embedded = { paths: [benchmark.manifest], runsFolder, masksTo: masksTo ?? 'benchmark-masks' };
  return {
    workspace: await openWorkspace(embedded),
    models: models.length ? models : spareModels,
    spareModels,
  };
}

/** What is looked at where nothing is named. */
const usualPaths = () => ['demo'].filter((path) => existsSync(path));

const interrupted = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
