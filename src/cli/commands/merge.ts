import { expected } from '../../contracts/errors.ts';
import { mergeRuns } from '../../run/merge.ts';
import { mergeFolders, partKindOf } from '../../run/merge-folders.ts';
import { defineCommand } from '../command.ts';
import { print } from '../ui/output.ts';

export const merge = defineCommand({
  name: 'merge',
  summary: 'Join folders of one dataset, as run, render, train, explain and generate --shard I/N leave them.',
  args: ['RUN…'],
  options: { out: { type: 'string', value: 'DIR', describe: 'the joined folder; may be one of those given' } },
  examples: ['sceneshift merge runs/part-1 runs/part-2 runs/part-3 --out runs/whole'],
  async run({ json, out }, runs) {
    if (!out) throw expected('a folder to write', '--out', undefined);
    if (!runs.length) throw expected('one run folder or more', 'what is to be joined', undefined);
    if (partKindOf(runs[0])) {
      const joined = await mergeFolders(runs, out);
      return print(
        json,
        joined,
        () =>
          `${joined.files} files of ${joined.sources.length} folders in ${joined.out}\nNext: the same sceneshift ${joined.command} without --shard, into ${out}: it finds all of this and finishes`,
      );
    }
    const summary = await mergeRuns(runs, out);
    print(json, summary, () =>
      [
        `${summary.rows} rows of ${summary.sources.length} run folders in ${summary.run}, ${summary.errors} errors`,
        summary.known ? `${summary.known} shards were there already` : '',
        `Next: sceneshift score ${out}, sceneshift report ${out}`,
      ]
        .filter(Boolean)
        .join('\n'),
    );
  },
});
