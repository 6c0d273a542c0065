import { z } from 'zod';

/** What a cluster's variants share more often than all do. */
export interface Shared {
  readonly of: 'class' | 'scenario' | 'size' | 'brightness' | 'place';
  readonly value: string;
  /** In the cluster, and among all. */
  readonly share: number;
  readonly usual: number;
  /** Fisher's exact test, false discovery rate over all clusters and values (Benjamini and Hochberg). */
  readonly q: number;
}

export interface MapCluster {
  readonly id: string;
  readonly variants: number;
  readonly samples: number;
  /** Share of the models' answers that are wrong, here and elsewhere. */
  readonly fails: number;
  readonly elsewhere: number;
  /** How many times as often models fail here, samples kept together. */
  readonly ratio: number | null;
  readonly ci: readonly [number, number] | null;
  /** Holm over the clusters. */
  readonly pHolm: number | null;
  readonly shares: readonly Shared[];
  /** Middle on the map. */
  readonly x: number;
  readonly y: number;
}

/** `GET runs/:run/map?map=BACKBONE`. */
export type FeatureMap =
  | { readonly state: 'missing' }
  | { readonly state: 'computing'; readonly done: number; readonly total: number; readonly step: string }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready';
      readonly backbone: string;
      readonly layer: string;
      /** Of how many variants these were taken. */
      readonly of: number;
      readonly sample: readonly string[];
      readonly scenario: readonly string[];
      readonly x: readonly number[];
      readonly y: readonly number[];
      /** Share of the models that are wrong. */
      readonly fails: readonly number[];
      readonly cluster: readonly number[];
      readonly clusters: readonly MapCluster[];
    };

export const mapRequestSchema = z.object({ model: z.string() });
