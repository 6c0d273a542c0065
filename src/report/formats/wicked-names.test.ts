import { describe, expect, it } from 'vitest';
import { readCsvObjects } from '../../formats/csv-rows.ts';
import { spreadsheetCsv } from '../../formats/csv-write.ts';
import { escapeHtml, escapeLatex, escapeMarkdown, escapeXml, terminalText } from '../../formats/escape.ts';
import { flipsCsv } from '../../metrics/compare/flips-csv.ts';
import { scoreCsv } from '../../metrics/score/csv.ts';
import { gatesJunit } from '../gates-junit.ts';
import { gatesMarkdown } from '../gates-markdown.ts';
import { inlineHtml, inlineMarkdown, said } from './inline.ts';
import { tableLatex } from './latex.ts';
import { tableMarkdown } from './markdown.ts';

const wicked = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</template></style>',
  'it\'s & &lt;b&gt; "quoted"',
  '[click](javascript:alert(1))',
  '![x](http://evil.example/a.png)',
  'http://evil.example and www.evil.example',
  '**bold** _it_ `code` ~gone~',
  '| cell | cell |',
  '# heading',
  '- item',
  '1. item',
  '=HYPERLINK("http://evil.example")',
  '+1+1',
  '@SUM(A1)',
  '-2+3',
  '\t=1',
  '\\input{/etc/passwd}$x^2$ %{}_#&~',
  '\u001b[31mred\u001b[0m \u001b]0;title\u0007',
  'over\rwritten',
  'bell\u0007 null\u0000 back\b\b\b csi\u009b31m',
  'right\u202Eto left',
  'one\ntwo',
  'snake_case-name_1',
];

describe.each(wicked.map((name) => [JSON.stringify(name), name]))('%s is only text', (_, name) => {
  it('in HTML', () => {
    expect(escapeHtml(name)).not.toMatch(/[<>"']/);
    expect(escapeHtml(name).replaceAll(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
    const inside = inlineHtml(`**${said(name)}** lost`);
    expect(inside.match(/<[^>]*>/g)).toEqual(['<strong>', '</strong>']);
  });

  it('in XML', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no place for them
    expect(escapeXml(name)).not.toMatch(/[<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
    const gate = { metric: 'drop', relative: false, bound: 'estimate', max: 0 } as const;
    const result = { gate, model: name, scenario: name, class: name, value: 1, held: 1, passed: false, message: name };
    expect(gatesJunit([result]).match(/<testcase /g)).toHaveLength(1);
    const markdown = gatesMarkdown([result]).trim().split('\n');
    expect(markdown).toHaveLength(5);
    expect(markdown[4].replaceAll(/\\[|<[\]]/g, '').match(/\|/g)).toHaveLength(9);
    expect(markdown[4]).not.toMatch(/(?<!\\)</);
  });

  it('in Markdown', () => {
    const text = escapeMarkdown(name);
    expect(text).not.toMatch(/(?<!\\)[<>[\]|*`~]|\n|(?<!\\):\/\/|www\./);
    expect(text).not.toMatch(/^\s*([#+=-]|\d+[.)])/);
    expect(text).not.toMatch(/(?<!\\)&#?\w+;/);
    const table = tableMarkdown({ id: 't', title: 't', columns: [{ key: 'a', label: name }], rows: [{ a: name }] });
    expect(table.split('\n')).toHaveLength(3);
    expect(inlineMarkdown(`see ${said(name)}`)).not.toMatch(/(?<!\\)[<*`]/);
  });

  it('in LaTeX', () => {
    const text = escapeLatex(name);
    expect(
      text.replaceAll(/\\(textbackslash|textasciitilde|textasciicircum|dots)\{\}|\\[{}$&#_%]|\$[^$]*\$/g, ''),
    ).not.toMatch(/[\\{}$&#_%^]/);
    expect(tableLatex({ id: 't', title: name, columns: [{ key: 'a', label: name }], rows: [{ a: name }] })).toContain(
      text,
    );
  });

  it('in CSV', () => {
    const cell = spreadsheetCsv(['a', 'b'], [[name, 1]])
      .split('\n')
      .slice(1)
      .join('\n');
    expect(cell.replace(/^"/, '')).not.toMatch(/^[=+@\t\r-]/);
  });

  it('in the tables of score and compare', () => {
    const row = { scenario: name, n: 1, top1: 1, top1Own: 1, ci: [0, 1] } as never;
    const score = scoreCsv({ models: [{ model: name, scenarios: [row] }] } as never);
    const side = { model: name, name } as never;
    const flip = { scenario: name, sample: name, label: name, change: 'lost', a: name, b: name } as never;
    const flips = flipsCsv([{ comparison: { a: side, b: side }, flips: [flip] }]);
    for (const text of [score, flips]) {
      const cells = readCsvObjects(text).flatMap((row) => Object.values(row));
      expect(cells.length).toBeGreaterThan(5);
      for (const cell of cells) expect(cell).not.toMatch(/^[=+@\t\r-]/);
    }
  });

  it('on a terminal', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(terminalText(name)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(terminalText(name).split('\n')).toHaveLength(name.split('\n').length);
  });

  it('in JSON', () => {
    expect(JSON.parse(JSON.stringify(name))).toBe(name);
  });
});

it('leaves plain names as they are', () => {
  for (const written of [escapeHtml, escapeXml, escapeMarkdown, terminalText])
    expect(written('resnet_50-v1.5 (Łódź, 東京) 3%')).toBe('resnet_50-v1.5 (Łódź, 東京) 3%');
});
