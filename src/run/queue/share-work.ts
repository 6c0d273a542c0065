import type { Config } from '../../contracts/config.ts';
import type { Assignment, Share, SharedCommand } from '../../contracts/queue.ts';
import { localConfig } from './assignment.ts';
import type { AssignmentPlace, OpenAssignment } from './open-assignment.ts';
import { insideRoot } from './root.ts';

/** How a worker does shares of a command's samples. */
export interface ShareWork {
  /** Of the choices, those that are files or folders. */
  readonly paths: readonly string[];
  /** Opens what all shares need. `choices` come over the network: they are checked here. */
  open(given: {
    readonly config: Config;
    readonly choices: unknown;
    readonly out: string;
    readonly version: string;
  }): Promise<OpenShares>;
}

export interface OpenShares {
  /** Resolves when the share's results are in the folder. */
  carryOut(share: Share): Promise<unknown>;
  close?(): Promise<void>;
}

/** The commands whose shares a worker can do; each is loaded when it is first asked for. */
export type ShareWorks = Partial<Record<SharedCommand, () => Promise<ShareWork>>>;

export async function openShareAssignment(
  assignment: Assignment,
  work: ShareWork,
  { root, threads, version }: AssignmentPlace,
): Promise<OpenAssignment> {
  const { config, out } = await localConfig(assignment, root);
  const choices: Record<string, unknown> = { ...assignment.choices };
  for (const name of work.paths) {
    const path = choices[name];
    if (typeof path === 'string') choices[name] = await insideRoot(root, path);
  }
  const opened = await work.open({
    config: { ...config, plugins: [], ...(threads && { threads }) },
    choices,
    out,
    version,
  });
  return {
    id: assignment.id,
    out,
    async carryOut({ share }) {
      await opened.carryOut(share as Share);
      // What cannot be used of a share's samples is met again, and told, by whoever joins the shares.
      return { errors: [] };
    },
    close: async () => opened.close?.(),
  };
}
