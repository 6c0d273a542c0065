/** The terminal's width; where there is none (a pipe), what `COLUMNS` says. */
export function terminalColumns(): number {
  const told = Number(process.env.COLUMNS);
  return process.stdout.columns ?? (Number.isInteger(told) && told >= 20 ? told : 100);
}

/** How wide text for people may be: the terminal's width, and no wider than the eye follows. */
export const textWidth = (columns = terminalColumns()): number => Math.min(columns, 120);

/** Breaks text at spaces into lines of at most `width`, the ones after the first indented. */
export function wrap(text: string, width: number, indent = 0): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && [...line].length + 1 + [...word].length > width - indent) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}
