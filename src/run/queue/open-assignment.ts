import type { ErrorLine } from '../../contracts/prediction.ts';
import type { Assignment, Chunk } from '../../contracts/queue.ts';
import { prefetch } from '../../storage/content.ts';
import { openOutbox } from '../../storage/outbox.ts';
import { isS3 } from '../../storage/s3-url.ts';
import { openAnswering } from '../answer-missing.ts';
import { createShardWriter, openRunStore } from '../folder/index.ts';
import { openInputs } from '../inputs.ts';
import { makePlan } from '../plan.ts';
import type { PredictResult } from '../predict-job.ts';
import { runScenarios } from '../run-scenarios.ts';
import { filesOf } from '../sample-hashes.ts';
import { localConfig, planHash } from './assignment.ts';
import { learnSharedHashes } from './shared-hashes.ts';
import { WorkerTrouble } from './trouble.ts';

/** An assignment as this machine sees it: inputs opened, models loaded. Kept while chunks of it come. */
export interface OpenAssignment {
  readonly id: string;
  readonly out: string;
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
  const service = await openAnswering(inputs, plan);
  const outbox = isS3(out) ? await openOutbox(out) : undefined;
  const store = await openRunStore(outbox?.path ?? out, { sweep: false });
  return {
    id: assignment.id,
    out,
    async carryOut({ work = [] }, onHandedOut) {
      const rows: PredictResult[] = [];
      // The threads fetch the first ones themselves.
      const ahead = work.slice(4).map(({ sampleIndex }) => plan.plannedSamples[sampleIndex].sample);
      void prefetch(filesOf(ahead));
      const { errors } = await service.answer(work, (result) => void rows.push(result), { onHandedOut });
      const writer = createShardWriter(store, { rows: Number.POSITIVE_INFINITY });
      for (const { predictions, published, segmentation } of rows) writer.add({ predictions, published, segmentation });
      await writer.finish();
      await outbox?.send();
      return { errors };
    },
    async close() {
      await service.close();
      store.close();
      await outbox?.close();
    },
  };
}
