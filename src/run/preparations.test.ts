import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRaster, type Raster } from '../image/raster.ts';
import type { Model, Prepared } from '../models/define.ts';
import { createBatchRoom } from '../models/onnx/batch-room.ts';
import { createPreparations } from './preparations.ts';

function counting(preparation: string | undefined, runsIn: 'worker' | 'main' = 'worker') {
  const log = { prepared: 0, recycled: [] as Prepared[] };
  const model = {
    preparation,
    runsIn,
    prepare: () => {
      log.prepared++;
      return new Float32Array(3);
    },
    recycle: (batch: readonly Prepared[]) => {
      log.recycled.push(...batch);
    },
  } as unknown as Model;
  return { model, log };
}

describe('preparations', () => {
  const image = createRaster(2, 2);

  it('prepares once for models that want the same numbers', async () => {
    const [a, b, c] = [counting('same'), counting('same'), counting(undefined)];
    const preparations = createPreparations([a.model, b.model, c.model]);
    const first = await preparations.prepare(0, image);
    expect(await preparations.prepare(1, image)).toBe(first);
    expect(await preparations.prepare(2, image)).not.toBe(first);
    preparations.next();
    expect(await preparations.prepare(0, image)).not.toBe(first);
    expect([a.log.prepared, b.log.prepared, c.log.prepared]).toEqual([2, 0, 1]);
  });

  it.each(['worker', 'main'] as const)('a plugin in %s may keep the picture or give it as it is', async (runsIn) => {
    const kept: Uint8Array[] = [];
    const prepare = ({ data }: Raster) => kept[kept.push(data) - 1];
    const preparations = createPreparations([{ runsIn, prepare } as unknown as Model], () => true);
    const picture = createRaster(1, 1, Uint8Array.of(1, 2, 3));
    const prepared = await preparations.prepare(0, picture);
    picture.data.fill(0);
    expect([...prepared, ...kept[0]]).toEqual([1, 2, 3, 1, 2, 3]);
    structuredClone(prepared, { transfer: [prepared.buffer as ArrayBuffer] });
    expect(picture.data).toHaveLength(3);
  });

  it('shares nothing that goes to the main thread', async () => {
    const models = [counting('same', 'main'), counting('same', 'main'), counting('same')].map(({ model }) => model);
    const preparations = createPreparations(models);
    const made = [];
    for (const place of models.keys()) made.push(await preparations.prepare(place, image));
    expect(new Set(made).size).toBe(3);
  });

  it('hands a buffer back only when nobody waits for it any more', async () => {
    const [a, b] = [counting('same'), counting('same')];
    const preparations = createPreparations([a.model, b.model]);
    const shared = await preparations.prepare(0, image);
    await preparations.prepare(1, image);
    preparations.next();
    preparations.release(0, [shared]);
    expect(a.log.recycled).toEqual([]);
    preparations.release(1, [shared]);
    expect(a.log.recycled).toEqual([shared]);
  });

  it('keeps a buffer that was answered at once until the next variant', async () => {
    const [a, b] = [counting('same'), counting('same')];
    const preparations = createPreparations([a.model, b.model]);
    const shared = await preparations.prepare(0, image);
    preparations.release(0, [shared]);
    expect(a.log.recycled).toEqual([]);
    expect(await preparations.prepare(1, image)).toBe(shared);
    preparations.release(1, [shared]);
    preparations.next();
    expect(a.log.recycled).toEqual([shared]);
  });

  it('writes over no picture that a model still waits for, however the tasks of a thread take turns', async () => {
    const model = ({ batch, preparation }: { batch: number; preparation: string }) => {
      const room = createBatchRoom(batch);
      const prepare = ({ data }: Raster) => {
        const prepared = (room.next() ?? new Float32Array(3)).fill(data[0]);
        room.made(prepared);
        return prepared;
      };
      const recycle = (pictures: readonly Prepared[]) => {
        for (const picture of pictures) picture.fill(-1);
        room.takeBack(pictures);
      };
      return { batch, preparation, runsIn: 'worker', prepare, recycle } as unknown as Model;
    };
    const models = fc.array(
      fc.record({ batch: fc.integer({ min: 1, max: 4 }), preparation: fc.constantFrom('a', 'b') }),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    const variants = fc.array(fc.record({ task: fc.nat(1), asked: fc.subarray([0, 1, 2, 3]) }), { maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(models, variants, async (declared, steps) => {
        const opened = declared.map(model);
        const tasks = [0, 1].map(() => ({
          preparations: createPreparations(opened),
          waiting: opened.map((): { prepared: Prepared; level: number }[] => []),
        }));
        const answer = ({ preparations, waiting }: (typeof tasks)[number], at: number) => {
          const asked = waiting[at].splice(0);
          expect(asked.map(({ prepared }) => [...prepared])).toEqual(asked.map(({ level }) => [level, level, level]));
          preparations.release(
            at,
            asked.map(({ prepared }) => prepared),
          );
        };
        for (const [level, { task, asked }] of steps.entries()) {
          const { preparations, waiting } = tasks[task];
          preparations.next();
          for (const at of asked.filter((place) => place < opened.length)) {
            const prepared = await preparations.prepare(at, createRaster(1, 1, new Uint8Array(3).fill(level)));
            if (waiting[at].push({ prepared, level }) >= opened[at].batch) answer(tasks[task], at);
          }
        }
        for (const task of tasks) for (const at of opened.keys()) answer(task, at);
      }),
    );
  });
});
