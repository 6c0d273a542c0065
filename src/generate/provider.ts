import type { Mask, Raster } from '../image/raster.ts';

/** One picture that is wanted. What a provider cannot do (a seed, a negative prompt, an edit) it refuses with a `UserError`. */
export interface GenerateRequest {
  /** The item it is for, where it is one of many. */
  readonly id?: string;
  readonly prompt: string;
  /** What should not be seen. */
  readonly negative?: string;
  /** The same request with the same seed gives the same picture where the provider can promise it. */
  readonly seed: number;
  /** Pixels; the provider's own size where left out. */
  readonly width?: number;
  readonly height?: number;
  readonly edit?: EditRequest;
}

/** A picture to start from. Without a mask all of it is painted anew, as far as `strength` goes. */
export interface EditRequest {
  readonly image: Raster;
  /** Usual mask of the object: pixels of 255 are kept, the others painted. */
  readonly keep?: Mask;
  /** Share of the noise that is added before painting, 0 to 1: 1 forgets the picture. */
  readonly strength?: number;
}

/** Where a picture comes from: everything that would make it again, as plain JSON. */
export interface Provenance {
  readonly provider: string;
  /** The model's name or address, and the hash of its files where they are at hand. */
  readonly model: string;
  readonly modelHash?: string;
  /** What the service or program says of its model's version: a checkpoint's hash, an id, a fingerprint. */
  readonly version?: string;
  readonly prompt: string;
  readonly negative?: string;
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  /** The provider's own settings: scheduler, steps, guidance, quality… */
  readonly settings: Readonly<Record<string, string | number | boolean | null>>;
  /** What should be said about this picture: a prompt that was cut, a setting that was ignored. */
  readonly warnings: readonly string[];
}

/** A finished picture as a file's bytes. */
export interface GeneratedImage {
  readonly bytes: Uint8Array;
  readonly format: 'png' | 'jpeg' | 'webp';
  readonly provenance: Provenance;
}

export interface GenerateContext {
  readonly signal?: AbortSignal;
  /** Share of this picture that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** Something that makes pictures from words. Opened once, then asked as often as wanted. */
export interface Provider {
  readonly id: string;
  /** What decides its pictures beside the request: model, settings. Part of the name under which a picture is kept. */
  readonly identity?: Readonly<Record<string, unknown>>;
  generate(request: GenerateRequest, context?: GenerateContext): Promise<GeneratedImage>;
  close?(): Promise<void>;
}
