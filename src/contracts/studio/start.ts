import { z } from 'zod';

/** A setting of a scenario, as a form can ask for it. */
export interface ParamField {
  readonly name: string;
  readonly describe: string;
  readonly kind: 'number' | 'choice' | 'text';
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
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
  readonly models: readonly { readonly id: string; readonly name: string }[];
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
