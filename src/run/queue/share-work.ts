import type { Config } from '../../contracts/config.ts';
import type { Assignment, Share, SharedCommand } from '../../contracts/queue.ts';
import { type OwnCopy, openOwnCopy } from '../../storage/own-copy.ts';
import { isS3 } from '../../storage/s3-url.ts';
import { localConfig } from './assignment.ts';
import type { AssignmentPlace, OpenAssignment } from './open-assignment.ts';
import { insideRoot } from './root.ts';
import { learnSharedHashes } from './shared-hashes.ts';

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
  await learnSharedHashes(assignment, out);
  const choices: Record<string, unknown> = { ...assignment.choices };
  for (const name of work.paths) {
    const path = choices[name];
    if (typeof path === 'string') choices[name] = await insideRoot(root, path);
  }
  const copies = await openCopies(out, choices.run as string | undefined);
  const settings = { ...config, plugins: [], ...(threads && { threads }) };
  const opened = await work.open({ config: settings, choices: copies.of(choices), out: copies.at(out), version });
  return {
    id: assignment.id,
    out,
    hold: async () => [],
    async carryOut({ share }) {
      await opened.carryOut(share as Share);
      await copies.send();
      // What cannot be used of a share's samples is met again, and told, by whoever joins the shares.
      return { errors: [] };
    },
    async close() {
      await opened.close?.();
      await copies.close();
    },
  };
}

/**
 * On object storage shares are worked on in copies here: of the run that they are about, fetched once, and of the folder that
 * is filled, which is sent share by share and not kept.
 */
async function openCopies(out: string, run: string | undefined) {
  const copies = new Map<string, OwnCopy>();
  if (isS3(out)) copies.set(out, await openOwnCopy(out));
  if (run !== undefined && isS3(run)) {
    if (!copies.has(run)) copies.set(run, await openOwnCopy(run));
    await copies.get(run)?.pull();
  }
  const at = (place: string) => copies.get(place)?.path ?? place;
  return {
    at,
    of: (choices: Record<string, unknown>) => (run === undefined ? choices : { ...choices, run: at(run) }),
    send: async () => copies.get(out)?.moveNew(),
    close: async () => {
      for (const copy of copies.values()) await copy.close();
    },
  };
}
