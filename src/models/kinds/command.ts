import type { CommandDescription } from '../command/describe.ts';
import { defineModel } from '../define.ts';

export const commandKind = defineModel<CommandDescription>({
  id: 'command',
  title: 'any program',
  written: 'command:PROGRAM ARGUMENTS',
  describes: ['command'],
  async describe(line, settings) {
    const { describeCommand } = await import('../command/describe.ts');
    return describeCommand(line, settings);
  },
  async open(described) {
    const { openCommand } = await import('../command/open.ts');
    return openCommand(described);
  },
});
