/** `GET queue`: what `sceneshift queue` tells, watched for as long as the studio runs. */
export interface StudioQueue {
  /** Where it is, without its password; null: the studio was started without `--queue`. */
  readonly url: string | null;
  /** Why nothing is known of it. */
  readonly problem?: string;
  readonly waiting?: number;
  readonly active?: number;
  readonly delayed?: number;
  readonly failed?: number;
  readonly workers?: readonly string[];
  readonly failures?: readonly { readonly chunk: string; readonly reason: string; readonly tries: number }[];
  /** Null until something was finished while watching. */
  readonly chunksPerSecond?: number | null;
  readonly secondsLeft?: number | null;
}
