/** A run as the list shows it. */
export interface RunSummary {
  /** Its word in addresses. */
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly state: 'running' | 'finished' | 'stopped';
  /** Started by this studio, which can stop it. */
  readonly here: boolean;
  readonly started: string | null;
  readonly finished: string | null;
  /** Answers stored, and those there will be. */
  readonly done: number;
  readonly total: number | null;
  readonly errors: number;
  readonly samples: number;
  readonly classes: number;
  readonly models: readonly string[];
  readonly scenarios: readonly string[];
  readonly data: string;
  /** The last thing that a run started here said. */
  readonly message: string | null;
}

/** A dataset given by itself or by a run. */
export interface DatasetSummary {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly layout: string | null;
}

export interface Workspace {
  readonly version: string;
  readonly runs: readonly RunSummary[];
  readonly datasets: readonly DatasetSummary[];
}
