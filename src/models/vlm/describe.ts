import { UserError } from '../../contracts/errors.ts';
import type { ModelSettings } from '../../contracts/model-config.ts';
import { readBounded } from '../../net/request.ts';
import type { ModelDescription, OpenOptions } from '../define.ts';
import { reasonOf } from '../hub/download.ts';
import { type Distractors, loadDistractors } from './distractors.ts';
import { questionText } from './question.ts';
import { imagenetDSynonyms, type Synonyms } from './synonyms.ts';

export interface VlmDescription extends ModelDescription {
  readonly kind: 'vlm';
  readonly vlm: {
    readonly url: string;
    readonly model: string;
    readonly keyName: string;
    readonly question: string;
    readonly orders: 'both' | 'truth-first';
    readonly matching: 'words' | 'substring';
    readonly synonyms: Synonyms;
    readonly distractors: Distractors;
    readonly temperature: number;
    readonly maxTokens: number;
    readonly timeoutSeconds: number;
    readonly retries: number;
    readonly parallel: number;
    readonly requestsPerMinute?: number;
    readonly format: 'png' | 'jpeg';
    readonly maxSide: number;
    readonly price?: { readonly promptPerMillion: number; readonly completionPerMillion: number };
    readonly cacheDir?: string;
    readonly offline: boolean;
  };
}

/** A vision-language endpoint that is asked which of two things a picture shows. */
export async function describeVlm(
  { url, model }: { readonly url: string; readonly model: string },
  settings: Partial<ModelSettings> = {},
  { classes = [], offline = false, cacheDir }: OpenOptions = {},
): Promise<VlmDescription> {
  const given = settings.vlm ?? {};
  const published = given.question === 'imagenet-d';
  const labels = Array.isArray(settings.labels) ? settings.labels : classes;
  const vlm: VlmDescription['vlm'] = {
    url,
    model,
    keyName: given.apiKeyEnv ?? (new URL(url).hostname === 'api.openai.com' ? 'OPENAI_API_KEY' : 'SCENESHIFT_API_KEY'),
    question: questionText(given.question ?? 'plain'),
    orders: given.orders ?? 'both',
    matching: given.matching ?? (published ? 'substring' : 'words'),
    synonyms: { ...imagenetDSynonyms, ...given.synonyms },
    distractors: await loadDistractors(given.distractors, labels),
    temperature: given.temperature ?? (published ? 0.2 : 0),
    maxTokens: given.maxTokens ?? (published ? 512 : 64),
    timeoutSeconds: given.timeoutSeconds ?? 120,
    retries: given.retries ?? 5,
    parallel: given.parallel ?? 4,
    requestsPerMinute: given.requestsPerMinute,
    format: given.format ?? 'png',
    maxSide: given.maxSide ?? 1024,
    price: given.price,
    cacheDir,
    offline,
  };
  if (!offline) await greet(vlm);
  const { question, orders, matching, synonyms, distractors, temperature, maxTokens, format, maxSide } = vlm;
  const { bySample, byLabel } = distractors;
  return {
    name: settings.name ?? model,
    kind: 'vlm',
    source: `${url}#${model}`,
    identity: {
      kind: 'vlm',
      url,
      model,
      question,
      orders,
      matching,
      synonyms,
      distractors: { bySample, byLabel, classes: labels },
      temperature,
      maxTokens,
      format,
      maxSide,
    },
    labels: labels.length ? labels : undefined,
    labelsFrom: "the dataset's classes",
    labelMap: settings.labelMap,
    outputs: 'probabilities',
    outputCount: labels.length || undefined,
    batch: vlm.parallel,
    runsIn: 'main',
    looksAtPixels: true,
    warnings:
      orders === 'truth-first'
        ? [
            'the truth is always the first choice, as published: a model that likes the first choice looks better than it is',
          ]
        : [],
    vlm,
  };
}

const largestListBytes = 2 ** 24;

/** Most servers list their models; one that cannot be reached, or lacks the model, is found out here. */
async function greet({ url, model, keyName }: VlmDescription['vlm']): Promise<void> {
  const key = process.env[keyName];
  let response: Response;
  try {
    response = await fetch(`${url.replace(/\/$/, '')}/models`, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    throw new UserError(`${url} cannot be reached: ${reasonOf(error)}`);
  }
  if (response.status === 401 || response.status === 403)
    throw new UserError(`${url} refuses the key (status ${response.status}); set ${keyName} in the environment`);
  const list = await readBounded(response, largestListBytes)
    .then((bytes) => JSON.parse(new TextDecoder().decode(bytes)) as { data?: { id?: string }[] } | undefined)
    .catch(() => undefined);
  const known = response.ok && Array.isArray(list?.data) ? list.data.flatMap(({ id }) => (id ? [id] : [])) : [];
  if (known.length && !known.includes(model))
    throw new UserError(`${url} has no model '${model}'; it has ${known.slice(0, 8).join(', ')}`);
}
