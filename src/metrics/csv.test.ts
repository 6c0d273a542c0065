import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from './csv.ts';

const words = (csv: string, column: string) => {
  const { codes, levels } = parseCsv(csv).text(column);
  return Array.from(codes, (code) => levels[code]);
};

describe('parseCsv', () => {
  it('reads quotes, byte order mark and both line ends', () => {
    const table = parseCsv('\uFEFFa,b\r\n1,"x, ""y""\r\nz"\r\n\r\n2,plain');
    expect(table.names).toEqual(['a', 'b']);
    expect(table.rowCount).toBe(2);
    expect(Array.from(table.numbers('a'))).toEqual([1, 2]);
    const { codes, levels } = table.text('b');
    expect(Array.from(codes, (code) => levels[code])).toEqual(['x, "y"\r\nz', 'plain']);
  });

  it('gives one level to a word written with and without quotes', () => {
    expect(parseCsv('a\nx\n"x"\ny\n').text('a')).toEqual({ codes: new Uint32Array([0, 0, 1]), levels: ['x', 'y'] });
  });

  it('tells numbers, words and missing values apart', () => {
    const table = parseCsv('n,w,empty,half\n1e-3,0x10,,1\nNA,a,,b\n+.5,b,,2\n');
    expect(Array.from(table.numbers('n'))).toEqual([0.001, Number.NaN, 0.5]);
    expect(table.isNumeric('n')).toBe(true);
    expect(table.isNumeric('w')).toBe(false);
    expect(table.isNumeric('empty')).toBe(false);
    expect(table.isNumeric('half')).toBe(false);
    expect(() => table.numbers('half')).toThrow("column 'half', row 2 of the table but received 'b'");
  });

  it('keeps empty fields at the end of a line and of the file', () => {
    expect(words('a,b\nx,\ny,', 'b')).toEqual(['', '']);
    expect(words('a,b\n,"x"\n,""', 'b')).toEqual(['x', '']);
  });

  it('takes semicolons and tabs when the header has them', () => {
    expect(words('a;b\n1,5;x\n', 'a')).toEqual(['1,5']);
    expect(words('a\tb\n1\t2,3\n', 'b')).toEqual(['2,3']);
  });

  it('refuses what is no table, in one line that says where', () => {
    expect(() => parseCsv('')).toThrow('a header line');
    expect(() => parseCsv('a,b\n1,2\n1,2,3\n', 't.csv')).toThrow(
      'Expected 2 fields for line 3 of t.csv but received 3',
    );
    expect(() => parseCsv('a,b\n1,2\n1', 't.csv')).toThrow('Expected 2 fields for line 3');
    expect(() => parseCsv('a\n"x\n')).toThrow('never closed');
    expect(() => parseCsv('a\n"x"y\n')).toThrow('after a closing quote');
    expect(() => parseCsv('a,a\n1,2\n')).toThrow('twice');
    expect(() => parseCsv(new Uint8Array([0xff, 0xfe, 0x61, 0]))).toThrow('UTF-16');
    expect(() => parseCsv('a\n1\n').numbers('b')).toThrow("No column 'b'");
  });

  it('gives back any words that were written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ', ';', '1', '.') });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const written = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const csv = ['x,y', ...rows.map((row) => row.map(written).join(','))].join('\r\n');
        expect(words(csv, 'x')).toEqual(rows.map((row) => row[0]));
        expect(words(csv, 'y')).toEqual(rows.map((row) => row[1]));
      }),
    );
  });

  it('reads decimals to the last bit', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: 0, max: 16 }), (x, digits) => {
        for (const text of [String(x), x.toFixed(Math.min(digits, 15)), x.toExponential(digits)])
          expect(parseCsv(`v\n${text}\n`).numbers('v')[0]).toBe(Number(text));
      }),
    );
  });

  it('survives many different words', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `sample-${i % 4000}`);
    expect(words(`s\n${many.join('\n')}\n`, 's')).toEqual(many);
  });
});
