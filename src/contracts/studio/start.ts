import { z } from 'zod';

/** A setting of a scenario, as a form can ask for it. */
export interface ParamField {
  readonly name: string;
  readonly describe: string;
  readonly kind: 'number' | 'choice' | 'text';
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Ends that do not belong to it: above `min`, below `max`. */
  readonly without?: readonly ('min' | 'max')[];
  /** 1: whole numbers, 2: odd ones. */
  readonly step?: number;
  /** May be given instead of a number: `random`, `keep`. */
  readonly words?: readonly string[];
  readonly default: string;
}

export interface ScenarioField {
  readonly id: string;
  readonly title: string;
  readonly family: string;
  readonly description: string;
  readonly part: string;
  readonly params: readonly ParamField[];
}

/** `GET start`: what a run can be made of here. Paths and models are named by what the studio was given, never by text. */
export interface StartOptions {
  readonly datasets: readonly { readonly id: string; readonly name: string }[];
  /** `short`: what the model is called in tables. */
  readonly models: readonly { readonly id: string; readonly name: string; readonly short: string }[];
  readonly backgrounds: readonly { readonly id: string; readonly name: string }[];
  readonly families: Readonly<Record<string, string>>;
  readonly scenarios: readonly ScenarioField[];
  readonly presets: readonly { readonly id: string; readonly title: string; readonly scenarios: readonly string[] }[];
}

/** `POST start`. */
export const startSchema = z.object({
  /** The new folder's name. */
  name: z.string().regex(/^[\w][\w.-]{0,79}$/, 'letters, digits, dots and dashes, no path'),
  dataset: z.string(),
  models: z.array(z.string()).min(1),
  scenarios: z.array(z.string()).min(1).max(500),
  backgrounds: z.string().optional(),
  limit: z.number().int().positive().optional(),
  seed: z.number().int().default(0),
});
