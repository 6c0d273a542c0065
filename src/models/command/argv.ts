import { UserError } from '../../contracts/errors.ts';

/** Splits a command line into words: blanks separate, quotes keep together, a backslash takes the next character as it is. */
export function splitCommand(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const character = line[i];
    if (quote) {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && /["\\]/.test(line[i + 1] ?? '')) word += line[++i];
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\' && process.platform !== 'win32' && i + 1 < line.length)
      word = (word ?? '') + line[++i];
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote) throw new UserError(`A quotation mark is missing in the command: ${line}`);
  if (word !== undefined) words.push(word);
  if (words.length === 0) throw new UserError('Expected a program after command: but received nothing');
  return words;
}
