import { terminalText } from '../../formats/escape.ts';

/** The result of a command: JSON alone with `--json`, else the text made for people. */
export function print(json: boolean, result: unknown, text: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(result, null, 2) : terminalText(text())}\n`);
}
