import type { Command } from './command.ts';

interface Entry {
  readonly summary: string;
  load(): Promise<Command>;
}

/** Every command, with its line in `--help`; a command's file is loaded only when it is called. */
export const commands: Record<string, Entry> = {
  scenarios: {
    summary: 'what can be changed about a scene: every scenario with its settings, and the presets',
    load: async () => (await import('./commands/scenarios.ts')).scenariosCommand as Command,
  },
  doctor: {
    summary: 'what this machine has: Node, cores, memory, libraries, optional parts',
    load: async () => (await import('./commands/doctor.ts')).doctor as Command,
  },
};
