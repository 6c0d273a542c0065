import { expect, it } from 'vitest';
import { Interrupted } from '../run/jobs.ts';
import { fitJob } from './fit-job.ts';

it('begins no head that a thread holds ahead once it is to stop', async () => {
  const never = () => Promise.reject(new Error('no model is asked'));
  const { run } = await fitJob.open({ run: 'nowhere', d: 2, c: 2 }, { isStopping: () => true, answer: never });
  const rows = { keys: [], classes: new Int32Array(0) };
  const task = { key: 'a', head: 'original', rows, split: { training: [], held: [], inner: [] } };
  await expect(run(task as never, () => undefined)).rejects.toThrow(Interrupted);
});
