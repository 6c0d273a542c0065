import { describe, expect, it } from 'vitest';
import type { MiningRecord, Released } from '../../contracts/mining.ts';
import { answersFrom } from '../../metrics/answers/answer-columns.ts';
import { parseCsv } from '../../metrics/csv.ts';
import type { ReportData } from '../data/load.ts';
import { type Block, type Report, tablesOf } from '../document.ts';
import { reportHtml } from '../formats/html.ts';
import { miningSection } from './mining.ts';

const near = (estimate: number) => ({ estimate, ci: [estimate - 0.1, estimate + 0.1] as [number, number] });
const mode = {
  ...{ by: 'nuisance', value: '<b>beach</b>', pictures: 12, fails: 0.8, elsewhere: 0.2, ratio: 4, ci: [2, 8] },
  ...{ p: 0.001, pCorrected: 0.01, shares: [], examples: [] },
} as MiningRecord['modes'][number];
const mining = {
  pool: { pictures: 200, incomplete: 0, models: ['s', '<i>t</i>'] },
  selection: { surrogates: ['s'], targets: ['<i>t</i>'], atLeast: 1 },
  chosen: [{ sample: 'a' }],
  fails: [{ model: 's', nuisance: 'beach', n: 10, wrong: 4 }],
  transfer: [
    ...['s', '<i>t</i>'].map((model, i) => ({
      ...{ model, role: i ? 'target' : 'surrogate', n: 1, hard: near(0), random: near(0.5), matched: near(0.3) },
      ...{ fall: near(0.5), fallMatched: near(0.3) },
    })),
  ],
  freshSeed: null,
  matrix: [{ surrogates: ['s'], target: '<i>t</i>', n: 5, accuracy: 0.2, fall: near(0.3) }],
  curve: { points: [{ surrogates: 1, sets: 1, pictures: 1, accuracy: near(0.2), gain: null }], flattensAt: null },
  modes: [mode, { ...mode, value: 'snow', pCorrected: 0.4 }],
  modesMissing: [],
  audit: [],
} as unknown as MiningRecord;
const released: Released = {
  ...{ version: 1, time: '', folder: 'hard', pictures: 5, leftOut: 2, released: [] },
  byNuisance: [{ nuisance: 'beach', pictures: 5 }],
  review: {
    reviewers: ['ada', 'bob'],
    rule: 'kept where both say so',
    agreement: [{ question: 'object', ...{ alpha: 0.7, ci: [0.5, 0.9] } }],
  },
};
const src = 'data:image/webp;base64,AA==';
const sectionOf = ({
  minedPictures = [],
  ...data
}: Pick<ReportData, 'mining' | 'released'> & Partial<Pick<ReportData, 'minedPictures'>>) =>
  miningSection({ ...data, minedPictures, answers });
const words = (blocks: readonly Block[]) => JSON.stringify(blocks);

const rows = [
  'model,scenario,sample,label,prediction,correct',
  's,original,a,n02110958,n02123045,0',
  't,original,a,n02110958,<u>x</u>,0',
  't2,original,a,n02110958,n02123045,0',
  't3,original,a,n02110958,n02110958,1',
];
const answers = answersFrom(parseCsv(rows.join('\n')));

describe('the section on mined pictures', () => {
  it('shows some of them, each with its commonest wrong answer; names are no markup', () => {
    const picture = { ...{ sample: 'a', scenario: 'original', label: 'n02110958', nuisance: '<b>beach</b>', seed: 1 } };
    const shown = { ...picture, failedBy: ['s'], src, width: 160, height: 120 };
    const section = sectionOf({ mining, released: null, minedPictures: [shown] });
    const gallery = section?.blocks.find(({ kind }) => kind === 'gallery');
    expect(gallery).toEqual({
      kind: 'gallery',
      pictures: [
        {
          ...{ title: 'pug', src, width: 160, height: 120 },
          notes: ['✗ tabby', '<b>beach</b>; 1 of 1 surrogates fail'],
        },
      ],
    });
    const html = reportHtml({ title: '', subtitle: '', sections: section ? [section] : [] });
    expect(html).toContain(`<img src="${src}" width="160" height="120" alt="pug">`);
    expect(html).toContain('&lt;b&gt;beach&lt;/b&gt;; 1 of 1 surrogates fail');
    expect(sectionOf({ mining, released: null })?.blocks.some(({ kind }) => kind === 'gallery')).toBe(false);
  });

  it('is left out where nothing was mined', () => {
    expect(sectionOf({ mining: null, released: null })).toBeNull();
  });

  it('tells what transfers, what fails, and whether anything was released', () => {
    const section = sectionOf({ mining, released: null });
    expect(words(section?.blocks ?? [])).toMatch(
      /1 of 200 pictures are hard.*The failures transfer to .*Nothing has been released/,
    );
    const report: Report = { title: '', subtitle: '', sections: section ? [section] : [] };
    const tables = new Map(tablesOf(report).map((table) => [table.id, table.rows]));
    expect(tables.get('mining-fails')).toEqual([{ model: 's', share0: 0.4 }]);
    expect(tables.get('mining-modes')).toHaveLength(1);
    expect(tables.get('mining-modes-doubtful')).toMatchObject([{ mode: 'nuisance: snow' }]);
    expect(tables.get('mining-matrix')).toMatchObject([{ surrogates: 's', target: '<i>t</i>', accuracy: 0.2 }]);
  });

  it('shows names as text alone', () => {
    const section = sectionOf({ mining, released });
    const html = reportHtml({ title: '', subtitle: '', sections: section ? [section] : [] }, { version: '1' });
    expect(html).not.toMatch(/<i>t<\/i>|<b>beach<\/b>/);
    expect(html).toContain('&lt;i&gt;t&lt;/i&gt;');
  });

  it('says who reviewed what was released, by what rule and how far they agreed', () => {
    const text = words(sectionOf({ mining, released })?.blocks ?? []);
    expect(text).toMatch(
      /5 pictures \(5 beach\)\. 2 people looked at them \(ada, bob\); kept where both say so\. 2 pictures left out/,
    );
    expect(text).toMatch(/α 0\.70 \(0\.50 to 0\.90\)/);
    expect(words(sectionOf({ mining, released: { ...released, review: null } })?.blocks ?? [])).toMatch(
      /Nobody reviewed them/,
    );
  });
});
