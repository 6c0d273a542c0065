import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeReviewFolder } from '../../test/support/review-folder.ts';
import { makeRunFolder } from '../../test/support/run-folder.ts';
import type { ReviewAgreement, ReviewResults, ReviewSummary, ReviewTurn } from '../contracts/studio/review.ts';
import { createStudio, type Studio } from './app.ts';
import { localHosts } from './guard.ts';
import { createTools } from './tools.ts';
import { openWorkspace } from './workspace.ts';

let home: string;
let studio: Studio;
const folder = () => join(home, 'reviews', 'one');

async function open(paths: readonly string[]): Promise<Studio> {
  return createStudio({
    workspace: await openWorkspace({ paths, runsFolder: join(home, 'runs') }),
    page: new Map(),
    version: '1',
    tools: createTools([process.execPath]),
    hosts: localHosts,
  });
}
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-review-'));
  await makeReviewFolder(folder());
  studio = await open([folder()]);
});
afterEach(async () => {
  await studio.close();
  await rm(home, { recursive: true, force: true });
});

const ask = async (path: string, body?: unknown, of = studio) =>
  of.app.request(`/api/reviews${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { host: 'localhost', 'content-type': 'application/json' },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  });
const json = async <T>(path: string, body?: unknown) => (await (await ask(path, body)).json()) as T;
const vote = (reviewer: string, item: string, object = 'yes', only = 'yes') =>
  ask('/reviews-one/votes', { reviewer, item, answers: { object, only } });

describe('reviews in the studio', () => {
  it('are found as given and beside a run given', async () => {
    await makeRunFolder(join(home, 'runs', 'first'));
    await makeReviewFolder(join(home, 'runs', 'first', 'review'), { title: 'Of a run' });
    const found = await json<ReviewSummary[]>('');
    expect(found.map(({ id, title, pictures }) => [id, title, pictures])).toEqual([
      ['reviews-one', 'Hard images', 6],
      ['first-review', 'Of a run', 6],
    ]);
  });

  it('one that a link puts there from elsewhere is not; nor is one whose queue cannot be read', async () => {
    await makeReviewFolder(join(home, 'elsewhere'));
    await makeRunFolder(join(home, 'runs', 'first'));
    await makeRunFolder(join(home, 'runs', 'second'));
    await symlink(join(home, 'elsewhere'), join(home, 'runs', 'first', 'review'));
    await mkdir(join(home, 'runs', 'second', 'review'));
    await writeFile(join(home, 'runs', 'second', 'review', 'queue.json'), '{');
    expect((await json<ReviewSummary[]>('')).map(({ id }) => id)).toEqual(['reviews-one']);
    expect((await ask('/first-review')).status).toBe(404);
  });

  it('hand out pictures, blind: no gold, no file names, nothing of what others said', async () => {
    for (let i = 0; i < 6; i++) await vote('Bob', `p${i}`, 'no', 'unsure');
    for (let i = 0; i < 6; i++) {
      const text = await (await ask(`/reviews-one/turn?reviewer=Ada&item=p${i}`)).text();
      expect(text).not.toMatch(/gold|images|Bob|unsure|"no"/);
      expect(JSON.parse(text)).toMatchObject({ answers: {}, done: 0, left: 6, item: { id: `p${i}` } });
    }
    expect(await (await ask('/reviews-one')).text()).not.toMatch(/gold|images\//);
  });

  it('a vote is on disk when it is acknowledged, and given twice counts once', async () => {
    for (let i = 0; i < 2; i++) expect((await vote('Ada', 'p2')).status).toBe(200);
    const lines = (await readFile(join(folder(), 'votes.jsonl'), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(4);
    const { outcomes } = await json<ReviewResults>('/reviews-one/results');
    expect(outcomes.find(({ item }) => item.id === 'p2')?.votes).toEqual({ object: { yes: 1 }, only: { yes: 1 } });
    expect((await json<ReviewTurn>('/reviews-one/turn?reviewer=Ada&item=p2')).answers).toEqual({
      object: 'yes',
      only: 'yes',
    });
    expect((await json<ReviewTurn>('/reviews-one/turn?reviewer=%20Ada%20')).done).toBe(1);
  });

  it('many votes at once by two reviewers are all counted', async () => {
    const all = ['Ada', 'Bob'].flatMap((name) => Array.from({ length: 6 }, (_, i) => vote(name, `p${i}`)));
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
    const turn = await json<ReviewTurn>('/reviews-one/turn?reviewer=Ada');
    expect(turn).toMatchObject({ item: null, done: 6, left: 0, following: null });
    expect(turn.previous).toMatch(/^p\d$/);
  });

  it.each([
    ['no JSON', '{'],
    ['no name', { reviewer: '  ', item: 'p0', answers: { object: 'yes' } }],
    ['an unknown picture', { reviewer: 'Ada', item: 'p9', answers: { object: 'yes' } }],
    ['an unknown question', { reviewer: 'Ada', item: 'p0', answers: { real: 'yes' } }],
    ['an unknown answer', { reviewer: 'Ada', item: 'p0', answers: { object: 'perhaps' } }],
    ['no answer', { reviewer: 'Ada', item: 'p0', answers: {} }],
    ['a vote that would decide', { reviewer: 'Ada', item: 'p0', answers: { object: 'yes' }, decides: true }],
  ])('refuse %s, and write nothing', async (_what, body) => {
    const response = await ask('/reviews-one/votes', body);
    expect(response.status).toBe(400);
    expect(await readFile(join(folder(), 'votes.jsonl'), 'utf8').catch(() => '')).toBe('');
  });

  it('results: outcomes with reasons, disputes that a last word ends, gold by reviewer, agreement', async () => {
    for (const name of ['Ada', 'Bob']) for (let i = 0; i < 5; i++) await vote(name, `p${i}`, 'yes', i ? 'yes' : 'no');
    await vote('Ada', 'p5');
    await vote('Bob', 'p5', 'yes', 'no');
    const before = await json<ReviewResults>('/reviews-one/results');
    expect(before.outcomes.map(({ item }) => item.id)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
    expect(before.outcomes[4]).toMatchObject({ outcome: 'left-out', disputed: true, disputes: ['only'] });
    expect(before.gold).toMatchObject([
      { reviewer: 'Ada', asked: 2, right: 2 },
      { reviewer: 'Bob', asked: 2, right: 2 },
    ]);
    expect(JSON.stringify(before)).not.toContain('images/');
    const decided = await ask('/reviews-one/decisions', { reviewer: 'Eve', item: 'p5', answers: { only: 'yes' } });
    expect(decided.status).toBe(200);
    const after = (await json<ReviewResults>('/reviews-one/results')).outcomes[4];
    expect(after).toMatchObject({
      outcome: 'kept',
      disputed: false,
      disputes: [],
      reason: 'at least 2 said so; only: Eve decided yes',
    });
    const [object, only] = await json<ReviewAgreement>('/reviews-one/agreement');
    expect(object).toMatchObject({ items: 6, reviewers: 2, krippendorff: { estimate: null } });
    expect(only.pairs).toMatchObject([{ a: 'Ada', b: 'Bob', items: 6 }]);
    expect(only.krippendorff.estimate).toBeGreaterThan(0);
    expect(only.krippendorff.ci?.[0]).toBeLessThanOrEqual(only.krippendorff.estimate ?? 0);
  });

  it('export what was kept and why; no name is a formula', async () => {
    await vote('=cmd()', 'p1', 'yes', 'yes');
    await ask('/reviews-one/decisions', { reviewer: '=cmd()', item: 'p1', answers: { object: 'no' } });
    const csv = await ask('/reviews-one/export.csv');
    expect(csv.headers.get('content-disposition')).toContain('attachment');
    const [header, first] = (await csv.text()).split('\n');
    expect(header).toBe(
      'id,image,label,outcome,reason,disputed,object: yes,object: no,object: unsure,only: yes,only: no,only: unsure,scenario',
    );
    expect(first).toBe('p1,images/p1.png,mug,left-out,object: =cmd() decided no,false,1,0,0,1,0,0,grey');
    const exported = await json<{ outcomes: { id: string; outcome: string }[]; votes: unknown[] }>(
      '/reviews-one/export.json',
    );
    expect(exported.outcomes[0]).toMatchObject({ id: 'p1', outcome: 'left-out' });
    expect(exported.votes).toHaveLength(3);
  });
});

describe('pictures of a review', () => {
  const picture = (item: string) => ask(`/reviews-one/picture?item=${encodeURIComponent(item)}`);

  it('are served by their id', async () => {
    const response = await picture('p3');
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(await readFile(join(folder(), 'images/p3.png')));
  });

  it.each(['images/p3.png', '../one/images/p3.png', '/etc/passwd', '__proto__', ''])('not by %j', async (item) => {
    expect((await picture(item)).status).toBe(404);
  });

  it.each([
    ['a path out of it', '../../secret.png', 403],
    ['a link out of it', 'images/link.png', 403],
    ['a folder linked out of it', 'images/up/secret.png', 403],
    ['an absolute path', '/etc/passwd', 404],
    ['the votes of others', 'votes.jsonl', 422],
  ])('a queue that names %s gets nothing', async (_what, image, status) => {
    await writeFile(join(home, 'secret.png'), 'secret');
    await symlink(join(home, 'secret.png'), join(folder(), 'images', 'link.png'));
    await symlink(home, join(folder(), 'images', 'up'));
    const queue = JSON.parse(await readFile(join(folder(), 'queue.json'), 'utf8'));
    queue.items[0].image = image;
    await writeFile(join(folder(), 'queue.json'), JSON.stringify(queue));
    await writeFile(join(folder(), 'votes.jsonl'), '');
    const response = await picture('p0');
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('secret"');
  });

  it('votes are not written through a link', async () => {
    await symlink(join(home, 'target'), join(folder(), 'votes.jsonl'));
    expect((await vote('Ada', 'p0')).status).toBe(403);
    await expect(readFile(join(home, 'target'))).rejects.toThrow();
  });
});
