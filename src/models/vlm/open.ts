import { encodeImage } from '../../image/encode.ts';
import type { Raster } from '../../image/raster.ts';
import { resize } from '../../image/resize.ts';
import { Refused } from '../../net/throttle.ts';
import type { Answer, Model, OpenOptions, Question } from '../define.ts';
import { roundHalfEven } from '../round.ts';
import { answerCache, answerCacheDir, answerKey } from './cache.ts';
import { type ClientOptions, createClient } from './client.ts';
import type { VlmDescription } from './describe.ts';
import { distractorFor } from './distractors.ts';
import { ask, judgeAnswers, readAnswer } from './question.ts';

export interface Vlm extends Model {
  usage(): Usage & Record<string, number>;
}

/** `cost` is in the currency of the config's prices. */
export type Usage = Readonly<
  Record<'requests' | 'fromCache' | 'promptTokens' | 'completionTokens', number> & { cost?: number }
>;

type Hooks = Pick<ClientOptions, 'sleep' | 'now'>;

/** A vision-language model judged on the spot: every question in both orders of its two choices. */
export function openVlm(described: VlmDescription, { cacheDir }: OpenOptions = {}, hooks: Hooks = {}): Vlm {
  const { vlm } = described;
  const cache = answerCache(cacheDir ?? vlm.cacheDir ?? answerCacheDir());
  const closing = new AbortController();
  const { signal } = closing;
  const client = createClient({ ...vlm, apiKey: process.env[vlm.keyName], signal, ...hooks });
  const type = `image/${vlm.format}`;
  const counts = { requests: 0, fromCache: 0, promptTokens: 0, completionTokens: 0 };

  const askOnce = async (text: string, bytes: Uint8Array, key: string): Promise<string> => {
    const known = await cache.get(key);
    if (known) {
      counts.fromCache++;
      return known.text;
    }
    if (vlm.offline) throw new Refused('the answer is not in the cache, and --offline allows no request');
    const reply = await client.ask(text, { bytes, type });
    counts.requests++;
    counts.promptTokens += reply.promptTokens;
    counts.completionTokens += reply.completionTokens;
    await cache.put(key, reply);
    return reply.text;
  };
  // Two variants may be the same picture (a scenario that changes nothing): the second waits for the first's answer.
  const underway = new Map<string, Promise<string>>();
  const askShared = (text: string, bytes: Uint8Array): Promise<string> => {
    const key = answerKey([vlm.url, vlm.model, text, String(vlm.temperature), String(vlm.maxTokens), type, bytes]);
    const running = underway.get(key) ?? askOnce(text, bytes, key).finally(() => underway.delete(key));
    underway.set(key, running);
    return running;
  };

  const answerOne = async (bytes: Uint8Array, { sample, label }: Question): Promise<Answer> => {
    if (label === undefined) return { kind: 'failed', message: `${sample} has no label to ask about` };
    const truth = label;
    const distractor = distractorFor(vlm.distractors, sample, truth);
    const orders =
      vlm.orders === 'both'
        ? [
            [truth, distractor],
            [distractor, truth],
          ]
        : [[truth, distractor]];
    try {
      const texts = await Promise.all(
        orders.map(([first, second]) => askShared(ask(vlm.question, first, second), bytes)),
      );
      const reading = { truth, distractor, synonyms: vlm.synonyms, matching: vlm.matching };
      const named = texts.map((text) => readAnswer(text, reading));
      return { kind: 'verdict', ...judgeAnswers(named, reading) };
    } catch (error) {
      if (error instanceof Refused) return { kind: 'failed', message: `${described.name}: ${error.message}` };
      throw error;
    }
  };

  return {
    ...described,
    prepare: (image) => encodeImage(fitInto(image, vlm.maxSide), { format: vlm.format, quality: 95 }),
    answer: (pictures, questions) =>
      Promise.all(questions.map((question, i) => answerOne(pictures[i] as Uint8Array, question))),
    usage() {
      if (!vlm.price) return { ...counts };
      const { promptPerMillion, completionPerMillion } = vlm.price;
      const cost = (counts.promptTokens * promptPerMillion + counts.completionTokens * completionPerMillion) / 1e6;
      return { ...counts, cost };
    },
    // Answers that are still due are for nobody, and cost: what waits is not asked, what was asked is not waited for.
    close: async () => closing.abort(new Error(`${described.name} was closed before it answered`)),
  };
}

/** Endpoints shrink large pictures anyway, each its own way. */
function fitInto(image: Raster, maxSide: number): Raster {
  const long = Math.max(image.width, image.height);
  if (long <= maxSide) return image;
  const side = (length: number) => Math.max(1, roundHalfEven((length * maxSide) / long));
  return resize(image, side(image.width), side(image.height), 'bicubic');
}
