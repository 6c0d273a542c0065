import type { Command } from './command.ts';

interface Entry {
  readonly summary: string;
  load(): Promise<Command>;
}

/** Every command, with its line in `--help`; a command's file is loaded only when it is called. */
export const commands: Record<string, Entry> = {
  doctor: {
    summary: 'what this machine has: Node, cores, memory, libraries, optional parts',
    load: async () => (await import('./commands/doctor.ts')).doctor as Command,
  },
};
