import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePictures } from '../../test/support/annotate-folder.ts';
import { makeReviewFolder } from '../../test/support/review-folder.ts';
import type { MiningRecord } from '../contracts/mining.ts';
import type { AnnotateDataset } from '../contracts/studio/annotate.ts';
import { chooseMined } from '../contracts/studio/choose-mined.ts';
import type { ReviewResults, ReviewTurn } from '../contracts/studio/review.ts';
import type { TryOptions, TrySamples } from '../contracts/studio/try.ts';
import { createStudio, type Studio } from './app.ts';
import { localHosts } from './guard.ts';
import { toMinedPool } from './mine.ts';
import { createTools } from './tools.ts';
import { openWorkspace } from './workspace.ts';

let home: string;
let studio: Studio;
let dataset: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-wnids-'));
  await makePictures(join(home, 'photos'), ['n02110958/a.png', 'n02123045/b.png']);
  await makeReviewFolder(join(home, 'review'), { label: 'n02110958' });
  const workspace = await openWorkspace({
    paths: [join(home, 'photos'), join(home, 'review')],
    runsFolder: join(home, 'runs'),
  });
  [{ id: dataset }] = await workspace.datasets();
  const tools = createTools([process.execPath]);
  studio = createStudio({ workspace, page: new Map(), version: '0', tools, hosts: localHosts });
});
afterAll(async () => {
  await studio.close();
  await rm(home, { recursive: true, force: true });
});

async function get<T>(path: string): Promise<T> {
  const answer = await studio.app.request(`/api/${path}`, { headers: { host: 'localhost' } });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

describe('labels that are wnids are shown by their names', () => {
  it('in Try, which sends the label back', async () => {
    const { place, classes } = await get<TryOptions>('try');
    expect(classes).toEqual([
      { label: 'n02110958', name: 'pug' },
      { label: 'n02123045', name: 'tabby' },
    ]);
    const found = await get<TrySamples>(`try/samples?place=${place}&find=Pug`);
    expect(found.samples.map(({ label }) => label)).toEqual(['pug']);
  });

  it('in Annotate, which saves the label', async () => {
    const { samples } = await get<AnnotateDataset>(`annotate/${dataset}?show=all`);
    expect(samples.map(({ label, labelName }) => [label, labelName])).toEqual([
      ['n02110958', 'pug'],
      ['n02123045', 'tabby'],
    ]);
  });

  it('in Review', async () => {
    const [{ id }] = await get<{ id: string }[]>('reviews');
    expect((await get<ReviewTurn>(`reviews/${id}/turn?reviewer=Ada`)).item?.label).toBe('pug');
    const { outcomes } = await get<ReviewResults>(`reviews/${id}/results`);
    expect(outcomes[0].item.label).toBe('pug');
  });

  it('under mined pictures, with what was answered', () => {
    const pool = {
      items: [{ sample: 'a', scenario: 'original', label: 'n02110958', nuisance: 'snow' }],
      models: ['m'],
      wrong: [Uint8Array.of(1)],
    };
    const read = { pool, predictions: new Map([['m', ['n02123045']]]) };
    const { pictures } = chooseMined(
      toMinedPool(read as unknown as Parameters<typeof toMinedPool>[0]),
      { set: 'pool', wrong: [], right: [] },
      { mining: {} as MiningRecord, released: null },
    );
    expect(pictures).toMatchObject([{ label: 'pug', answer: 'tabby' }]);
  });
});
