/** Reads delimited text (RFC 4180): quoted cells with doubled quotes, line breaks inside them, any line ending, a BOM. */
export function parseCsv(text: string, delimiter?: string): string[][] {
  const source = text.replace(/^\uFEFF/, '');
  const separator = delimiter ?? guessDelimiter(source);
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endRow = () => {
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  while (at <= source.length) {
    let cell: string;
    if (source[at] === '"') {
      let end = at + 1;
      let quoted = '';
      for (;;) {
        const quote = source.indexOf('"', end);
        if (quote === -1) {
          quoted += source.slice(end);
          end = source.length;
          break;
        }
        quoted += source.slice(end, quote);
        end = quote + 1;
        if (source[end] !== '"') break;
        quoted += '"';
        end++;
      }
      const stop = nextStop(source, end, separator);
      cell = quoted + source.slice(end, stop);
      at = stop;
    } else {
      const stop = nextStop(source, at, separator);
      cell = source.slice(at, stop);
      at = stop;
    }
    row.push(cell);
    if (source[at] === separator) {
      at++;
      continue;
    }
    endRow();
    at += source[at] === '\r' && source[at + 1] === '\n' ? 2 : 1;
  }
  return rows;
}

function nextStop(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}

/** Spreadsheets of some countries write semicolons, others tabs. */
function guessDelimiter(text: string): string {
  const header = text.slice(0, nextStop(text, 0, '\n'));
  return [',', ';', '\t'].find((candidate) => header.includes(candidate)) ?? ',';
}
