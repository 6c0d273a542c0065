import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ReviewResults, ReviewTurn } from '../../src/contracts/studio/review.ts';
import { makeReviewFolder } from '../support/review-folder.ts';
import { type StudioProcess, startStudioProcess } from '../support/studio.ts';

const kills = 8;
const pictures = 40;
const reviewers = ['Ada', 'Bob'] as const;

it(`SIGKILL in the middle of two reviewers, ${kills} times: nothing acknowledged is lost, nothing counted twice`, async () => {
  const home = await mkdtemp(join(tmpdir(), 'sceneshift-kill-'));
  const folder = join(home, 'hard');
  await makeReviewFolder(folder, { pictures, gold: 0, votes: 2 });
  let studio: StudioProcess = await startStudioProcess([folder], { cwd: home });
  const [{ id }] = await ask<{ id: string }[]>('');
  /** Reviewer and picture → the answer that was acknowledged last. */
  const acknowledged = new Map<string, string>();
  /** Sent, and not yet acknowledged. */
  const underWay = new Map<string, { item: string; answer: string }>();
  let killed = 0;
  let acknowledgedNow = 0;
  let cut = 0;
  let restarting: Promise<void> | undefined;

  function ask<T>(path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return fetch(`${studio.address}api/reviews${path}`, init).then(async (response) => {
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return response.json() as Promise<T>;
    });
  }
  const killAndRestart = async () => {
    killed++;
    acknowledgedNow = 0;
    studio.child.kill('SIGKILL');
    await once(studio.child, 'exit');
    studio = await startStudioProcess([folder], { cwd: home });
    await expectNothingLost();
    restarting = undefined;
  };
  const expectNothingLost = async () => {
    for (const reviewer of reviewers) {
      const known = [...acknowledged].filter(([key]) => key.startsWith(`${reviewer} `));
      const last = known.at(-1);
      if (!last) continue;
      const item = last[0].split(' ')[1];
      const turn = await ask<ReviewTurn>(`/${id}/turn?reviewer=${reviewer}&item=${item}`);
      const cutOff = underWay.get(reviewer);
      const possible = [last[1], ...(cutOff?.item === item ? [cutOff.answer] : [])];
      expect(turn.answers.object).toBeOneOf(possible);
      expect(turn.answers.only).toBe(turn.answers.object);
      // One more may be there: written, but the answer to it was cut off.
      expect(turn.done - known.length).toBeOneOf([0, 1]);
    }
  };
  /** Sends until it is acknowledged, as the page does. */
  const vote = async (reviewer: string, item: string, answer: string) => {
    underWay.set(reviewer, { item, answer });
    for (;;) {
      await restarting;
      const sent = ask(`/${id}/votes`, { reviewer, item, answers: { object: answer, only: answer } });
      // In the middle: this request and the other reviewer's are on their way.
      if (acknowledgedNow >= 4 + (killed % 5) && killed < kills && !restarting) restarting = killAndRestart();
      try {
        await sent;
      } catch (error) {
        if (!restarting && !(error instanceof TypeError)) throw error;
        cut++;
        continue;
      }
      acknowledged.set(`${reviewer} ${item}`, answer);
      underWay.delete(reviewer);
      acknowledgedNow++;
      return;
    }
  };
  const answerOf = (reviewer: string, i: number) => (reviewer === 'Ada' || i % 3 ? 'yes' : 'no');
  try {
    await Promise.all(
      reviewers.map(async (reviewer) => {
        for (let i = 0; i < pictures; i++) {
          // Every fifth is thought over: only the second answer may count.
          if (i % 5 === 0) await vote(reviewer, `p${i}`, 'unsure');
          await vote(reviewer, `p${i}`, answerOf(reviewer, i));
        }
      }),
    );
    await restarting;
    expect(killed).toBe(kills);
    expect(cut).toBeGreaterThanOrEqual(kills);
    const { outcomes } = await ask<ReviewResults>(`/${id}/results`);
    expect(outcomes.map(({ item, votes }) => [item.id, votes.object])).toEqual(
      Array.from({ length: pictures }, (_, i) => [`p${i}`, i % 3 ? { yes: 2 } : { yes: 1, no: 1 }]),
    );
    for (const reviewer of reviewers)
      expect((await ask<ReviewTurn>(`/${id}/turn?reviewer=${reviewer}`)).done).toBe(pictures);
    expect(await studio.stop()).toBe(0);
    console.log(`killed ${killed} times: ${acknowledged.size} votes acknowledged and kept, ${cut} requests cut short`);
  } finally {
    studio.child.kill('SIGKILL');
    await rm(home, { recursive: true, force: true });
  }
});
