import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsvObjects, readCsvRows } from './csv-rows.ts';
import { machineCsv, spreadsheetCsv } from './csv-write.ts';

const cellsOf = (csv: string, delimiter?: string) => readCsvRows(csv, { delimiter }).map(({ cells }) => cells);

describe('readCsvRows', () => {
  it('takes every line ending, quotes, a mark, blank lines and other separators', () => {
    expect(cellsOf('\uFEFFa,b\r\n1,"x, ""y""\r\nz"\r\n\r\n2,\r3,c')).toEqual([
      ['a', 'b'],
      ['1', 'x, "y"\r\nz'],
      ['2', ''],
      ['3', 'c'],
    ]);
    expect(cellsOf('a;b\n1,5; 2 ')).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ]);
    expect(cellsOf('a\tb,c', '\t')).toEqual([['a', 'b,c']]);
    expect(cellsOf('')).toEqual([]);
  });

  it('says at which row and line the quotes are wrong, and reads the others', () => {
    const rows = readCsvRows('a,b\n"x"y,1\n\n"two\nlines",2\nz,"open\nend', { source: 't.csv' });
    expect(rows.map(({ line, cells, damaged }) => [line, cells.at(-1), damaged])).toEqual([
      [1, 'b', undefined],
      [2, '1', 'Text after a closing quote in line 2 of t.csv; write a quote inside quotes twice'],
      [4, '2', undefined],
      [6, 'open\nend', 'A quote opened in line 6 of t.csv is never closed'],
    ]);
  });
});

const wicked = fc.string({
  unit: fc.constantFrom('=', '+', '-', '@', '\t', '"', ',', ';', '\n', '\r', ' ', '\uFEFF', "'", 'a', '1', 'é'),
});

describe('what is written', () => {
  it('for programs is read back as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(wicked, wicked), { minLength: 1 }), fc.array(wicked), (pairs, singles) => {
        expect(cellsOf(machineCsv(['x', 'y'], pairs)).slice(1)).toEqual(pairs);
        const csv = machineCsv(
          ['x'],
          singles.map((cell) => [cell]),
        );
        expect(readCsvObjects(csv).map(({ x }) => x)).toEqual(singles);
      }),
    );
  });

  it('for spreadsheets never starts as a formula, and loses nothing else', () => {
    fc.assert(
      fc.property(fc.array(wicked, { minLength: 1 }), (cells) => {
        const [, read] = cellsOf(
          spreadsheetCsv(
            cells.map((_, i) => `c${i}`),
            [cells],
          ),
        );
        read.forEach((cell, i) => {
          if (Number.isNaN(Number(cell))) expect(cell).not.toMatch(/^[=+@\t\r-]/);
          expect([cells[i], `'${cells[i]}`]).toContain(cell);
        });
      }),
    );
    const words = ['=1+1', '-2+3+cmd|', '@SUM(A1)', '＝1+1', '-1.5', 'plain', 7, null];
    expect(cellsOf(spreadsheetCsv(words.map(String), [words]))[1]).toEqual([
      "'=1+1",
      "'-2+3+cmd|",
      "'@SUM(A1)",
      "'＝1+1",
      '-1.5',
      'plain',
      '7',
      '',
    ]);
  });
});
