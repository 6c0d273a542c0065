import { terminalText } from '../../formats/escape.ts';
import { withAddresses } from '../../storage/shown.ts';

/** The result of a command: JSON alone with `--json`, else the text made for people. */
export function print(json: boolean, result: unknown, text: () => string): void {
  const shown = json ? JSON.stringify(result, null, 2) : terminalText(text());
  process.stdout.write(`${withAddresses(shown)}\n`);
}
