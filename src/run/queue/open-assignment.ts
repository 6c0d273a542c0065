import { UserError } from '../../contracts/errors.ts';
import type { ErrorLine } from '../../contracts/prediction.ts';
import type { Assignment, Chunk } from '../../contracts/queue.ts';
import { prefetch } from '../../storage/content.ts';
import { openOutbox } from '../../storage/outbox.ts';
import { isS3 } from '../../storage/s3-url.ts';
import { type AnswerService, openAnswering } from '../answer-missing.ts';
import { createShardWriter, openRunStore } from '../folder/index.ts';
import { openInputs } from '../inputs.ts';
import { makePlan } from '../plan.ts';
import type { PredictResult } from '../predict-job.ts';
import { runScenarios } from '../run-scenarios.ts';
import { filesOf } from '../sample-hashes.ts';
import { localConfig, planHash } from './assignment.ts';
import { planOfModels } from './model-groups.ts';
import { learnSharedHashes } from './shared-hashes.ts';
import { WorkerTrouble } from './trouble.ts';

/** An assignment as this machine sees it: inputs opened, models loaded. Kept while chunks of it come. */
export interface OpenAssignment {
  readonly id: string;
  readonly out: string;
  /** Loads these models instead of those that are held; all where left out. Answers what is held now. */
  hold(models: readonly number[] | undefined): Promise<readonly string[]>;
  /**
   * Resolves when the chunk's results are on disk. `onHandedOut`: the threads have taken all of it, so that the next
   * chunk may queue up.
   */
  carryOut(chunk: Chunk, onHandedOut: () => void): Promise<{ readonly errors: readonly ErrorLine[] }>;
  close(): Promise<void>;
}

export interface AssignmentPlace {
  readonly root: string;
  readonly threads?: number;
  readonly version: string;
}

export async function openRunAssignment(
  assignment: Assignment,
  { root, threads, version }: AssignmentPlace,
): Promise<OpenAssignment> {
  const { config, out } = await localConfig(assignment, root);
  await learnSharedHashes(assignment, out);
  // What comes over the network names no code to run: a worker has the plugins that it was started with.
  const opened = await openInputs({ ...config, plugins: [], ...(threads && { threads }) }, { version });
  const inputs = { ...opened, scenarios: runScenarios(opened, opened.config).all };
  const plan = await makePlan(inputs);
  if (planHash(plan) !== assignment.planHash)
    throw new WorkerTrouble(
      `this machine sees other pictures, models or settings below ${root} than the coordinator; nothing was answered`,
    );
  const outbox = isS3(out) ? await openOutbox(out) : undefined;
  const store = await openRunStore(outbox?.path ?? out, { sweep: false });
  let service: AnswerService | undefined;
  let held: ReadonlySet<number> = new Set();
  return {
    id: assignment.id,
    out,
    async hold(models = [...plan.models.keys()]) {
      const own = models.length === plan.models.length ? plan : planOfModels(plan, models);
      await service?.close();
      service = undefined;
      service = await openAnswering({ ...inputs, models: own.models }, own).catch((error: Error) => {
        throw new WorkerTrouble(error.message.split('\n')[0]);
      });
      held = new Set(models);
      return own.models.map(({ name }) => name);
    },
    async carryOut({ work = [] }, onHandedOut) {
      for (const { conditions } of work)
        for (const condition of conditions)
          if (!held.has(plan.conditions[condition]?.model))
            throw new UserError('The chunk asks models that it does not name; refused');
      const rows: PredictResult[] = [];
      // The threads fetch the first ones themselves.
      const ahead = work.slice(4).map(({ sampleIndex }) => plan.plannedSamples[sampleIndex].sample);
      void prefetch(filesOf(ahead));
      const asked = service as AnswerService;
      const { errors } = await asked.answer(work, (result) => void rows.push(result), { onHandedOut });
      const writer = createShardWriter(store, { rows: Number.POSITIVE_INFINITY });
      for (const { predictions, published, segmentation } of rows) writer.add({ predictions, published, segmentation });
      await writer.finish();
      await outbox?.send();
      return { errors };
    },
    async close() {
      await service?.close();
      store.close();
      await outbox?.close();
    },
  };
}
