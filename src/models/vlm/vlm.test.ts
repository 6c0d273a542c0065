import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pattern } from '../../../test/fixtures/models/pattern.ts';
import type { ModelSettings } from '../../contracts/model-config.ts';
import { describeVlm } from './describe.ts';
import { distractorFor, loadDistractors } from './distractors.ts';
import { openVlm } from './open.ts';
import { judgeAnswers, readAnswer } from './question.ts';
import { imagenetDSynonyms } from './synonyms.ts';

interface Asked {
  readonly question: string;
  readonly image: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}
type Respond = (
  asked: Asked,
  number: number,
) => { text?: string; status?: number; headers?: Record<string, string>; body?: string };

const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function endpoint(respond: Respond, models: string[] | number = ['tiny']) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/v1/models') {
      const status = typeof models === 'number' ? models : 200;
      response
        .writeHead(status)
        .end(typeof models === 'number' ? '' : JSON.stringify({ data: models.map((id) => ({ id })) }));
      return;
    }
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const body = JSON.parse(text);
      const [question, image] = body.messages[0].content;
      asked.push({ question: question.text, image: image.image_url.url, headers: request.headers, body });
      const reply = respond(asked[asked.length - 1], asked.length);
      response.writeHead(reply.status ?? 200, reply.headers);
      response.end(
        reply.body ??
          JSON.stringify({
            choices: [{ message: { role: 'assistant', content: reply.text } }],
            usage: { prompt_tokens: 100, completion_tokens: 5 },
          }),
      );
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((done) => void server.close(() => done()));
  };
  servers.push({ close });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

/** An endpoint that writes without end, as long as somebody listens. */
async function endlessEndpoint() {
  const sent = { bytes: 0 };
  const server = createServer((request, response) => {
    if (request.url === '/v1/models') return void response.end('{}');
    request.resume();
    response.write('{"choices":[{"message":{"content":"');
    const chunk = 'beagle '.repeat(10_000);
    const more = () => {
      while (sent.bytes < 2e9 && !response.destroyed && response.write(chunk)) sent.bytes += chunk.length;
      if (sent.bytes < 2e9) response.once('drain', more);
    };
    more();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((done) => void server.close(() => done()));
  };
  servers.push({ close });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, sent };
}

const classes = ['beagle', 'alarm_clock', 'can_opener', 'pen'];
const question = (sample: string, label = 'beagle') => ({ sample, label, scenario: 'original', width: 20, height: 10 });

async function open(url: string, vlm: ModelSettings['vlm'] = {}, cacheDir = mkdtempSync(join(tmpdir(), 'vlm-'))) {
  const pauses: number[] = [];
  let clock = 0;
  const described = await describeVlm({ url, model: 'tiny' }, { vlm }, { classes, cacheDir });
  const hooks = {
    now: () => clock,
    sleep: async (milliseconds: number) => {
      pauses.push(milliseconds);
      clock += milliseconds;
    },
  };
  const model = openVlm(described, {}, hooks);
  const ask = async (...samples: string[]) => {
    const picture = await model.prepare(pattern({ width: 20, height: 10, seed: 1 }));
    return model.answer(
      samples.map(() => picture),
      samples.map((sample) => question(sample)),
    );
  };
  return { model, ask, pauses, cacheDir };
}

const distractors = { beagle: 'alarm_clock' };

describe('vision-language models', () => {
  it('ask in both orders, and count as right only what is right in both', async () => {
    const right = await endpoint(() => ({ text: 'It is a Beagle.' }));
    const wrong = await endpoint(() => ({ text: 'an alarm clock' }));
    const firstChoice = await endpoint(({ question: text }) => ({ text: /: (.*) or/.exec(text)?.[1] }));
    const answers = async (url: string) => (await open(url, { distractors })).ask('x').then(([answer]) => answer);
    expect(await answers(right.url)).toEqual({
      kind: 'verdict',
      prediction: 'beagle',
      correct: true,
      probability: 1,
      named: 'truth',
    });
    expect(await answers(wrong.url)).toEqual({
      kind: 'verdict',
      prediction: 'alarm_clock',
      correct: false,
      probability: 1,
      named: 'distractor',
    });
    expect(await answers(firstChoice.url)).toEqual({
      kind: 'verdict',
      prediction: 'undecided',
      correct: false,
      probability: 0.5,
      named: 'truth',
    });
    expect(right.asked.map(({ question: text }) => text).sort()).toEqual([
      'Which of the two does this picture mainly show: alarm clock or beagle? Answer with that name only.',
      'Which of the two does this picture mainly show: beagle or alarm clock? Answer with that name only.',
    ]);
    expect(right.asked[0].image).toMatch(/^data:image\/png;base64,iVBOR/);
    expect(right.asked[0].body).toMatchObject({ model: 'tiny', temperature: 0, max_tokens: 64 });
  });

  it('lose a picture, not the run, to an answer without end', async () => {
    const { url, sent } = await endlessEndpoint();
    const { ask } = await open(url, { distractors });
    expect(await ask('x')).toEqual([
      { kind: 'failed', message: expect.stringMatching(/chat\/completions sent an answer of more than 1052672 bytes/) },
    ]);
    expect(sent.bytes).toBeLessThan(200e6);
  });

  it('can ask as published, and says what that means', async () => {
    const { url, asked } = await endpoint(() => ({ text: 'beagle' }));
    const { ask, model } = await open(url, { question: 'imagenet-d', orders: 'truth-first', distractors });
    await ask('x');
    expect(asked.map(({ question: text }) => text)).toEqual([
      'What is the main object in this image? Choose from the following list: beagle, alarm clock.',
    ]);
    expect(asked[0].body).toMatchObject({ temperature: 0.2, max_tokens: 512 });
    expect(model.warnings).toEqual([expect.stringMatching(/always the first choice/)]);
  });

  it('counts an answer that names both or neither as not right, and keeps what it was', async () => {
    const answered = async (...texts: string[]) => {
      const { url } = await endpoint(({ question: text }) => ({ text: texts[text.includes('beagle or') ? 0 : 1] }));
      return (await (await open(url, { distractors })).ask('x'))[0];
    };
    const both = 'a beagle beside an alarm clock';
    const wrong = { kind: 'verdict', correct: false, probability: 1 };
    expect(await answered(both, both)).toEqual({ ...wrong, prediction: 'both choices', named: 'both' });
    expect(await answered('a cat', 'a cat')).toEqual({ ...wrong, prediction: 'neither choice', named: 'neither' });
    expect(await answered('beagle', 'a cat')).toMatchObject({
      prediction: 'undecided',
      correct: false,
      named: 'truth',
    });
  });

  it('retries with growing pauses, and waits as long as a rate limit says', async () => {
    const { url } = await endpoint((_, number) =>
      number === 1
        ? { status: 500 }
        : number === 2
          ? { status: 503 }
          : number === 3
            ? { status: 429, headers: { 'retry-after': '7' } }
            : { text: 'beagle' },
    );
    const { ask, pauses } = await open(url, { distractors, orders: 'truth-first' });
    expect(await ask('x')).toMatchObject([{ correct: true }]);
    expect(pauses).toEqual([1000, 2000, 7000]);
  });

  it('gives up on one picture, not on the run', async () => {
    const { url } = await endpoint(() => ({ status: 500, body: '{"error":{"message":"overloaded"}}' }));
    const { ask, pauses } = await open(url, { distractors, orders: 'truth-first', retries: 2 });
    expect(await ask('x')).toEqual([
      { kind: 'failed', message: expect.stringMatching(/answered 500: overloaded \(after 3 tries\)/) },
    ]);
    expect(pauses).toEqual([1000, 2000]);
    const refused = await endpoint(() => ({ status: 400, body: '{"error":"picture too small"}' }));
    expect(await (await open(refused.url, { distractors })).ask('x')).toMatchObject([
      { kind: 'failed', message: expect.stringMatching(/picture too small/) },
    ]);
    const odd = await endpoint(() => ({ body: '{"choices":[]}' }));
    expect(await (await open(odd.url, { distractors })).ask('x')).toMatchObject([
      { kind: 'failed', message: expect.stringMatching(/no choices/) },
    ]);
  });

  it('keeps to the requests per minute, and asks the same at the same time once', async () => {
    const { url, asked } = await endpoint(() => ({ text: 'beagle' }));
    const { ask, pauses } = await open(url, { distractors, requestsPerMinute: 60, parallel: 1 });
    await ask('x', 'y');
    expect(asked).toHaveLength(2);
    expect(pauses).toEqual([1000]);
  });

  it('asks nothing twice, and counts what it cost', async () => {
    const { url, asked } = await endpoint(() => ({ text: 'beagle' }));
    const price = { promptPerMillion: 10, completionPerMillion: 100 };
    const first = await open(url, { distractors, price });
    await first.ask('x');
    expect(first.model.usage()).toEqual({
      requests: 2,
      fromCache: 0,
      promptTokens: 200,
      completionTokens: 10,
      cost: 0.003,
    });
    const again = await open(url, { distractors, price }, first.cacheDir);
    expect(await again.ask('x')).toMatchObject([{ correct: true }]);
    expect(again.model.usage()).toEqual({ requests: 0, fromCache: 2, promptTokens: 0, completionTokens: 0, cost: 0 });
    expect(asked).toHaveLength(2);
  });

  it('sends the key of the environment, to this address alone', async () => {
    vi.stubEnv('SCENESHIFT_API_KEY', 'sk-own');
    vi.stubEnv('OPENAI_API_KEY', 'sk-openai');
    const { url, asked } = await endpoint(() => ({ text: 'beagle' }));
    await (await open(url, { distractors })).ask('x');
    expect(asked[0].headers.authorization).toBe('Bearer sk-own');
    await (await open(url, { distractors, apiKeyEnv: 'NO_SUCH_KEY' })).ask('x');
    expect(asked.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('finds a wrong address, key or name before any work', async () => {
    await expect(open('http://127.0.0.1:1/v1')).rejects.toThrow(/cannot be reached/);
    await expect(open((await endpoint(() => ({}), ['other'])).url)).rejects.toThrow(
      /has no model 'tiny'; it has other/,
    );
    await expect(open((await endpoint(() => ({}), 401)).url)).rejects.toThrow(
      /refuses the key .* set SCENESHIFT_API_KEY/,
    );
    await expect(open((await endpoint(() => ({}), 404)).url, { question: 'what?' })).rejects.toThrow(
      /a text with \{first\} and \{second\}/,
    );
  });
});

describe('reading an answer', () => {
  const read = (answer: string, truth: string, distractor: string, matching: 'words' | 'substring' = 'words') =>
    readAnswer(answer, { truth, distractor, synonyms: imagenetDSynonyms, matching });
  it.each([
    ['A Television set', 'tv', 'monitor', 'truth'],
    ['The main object is a trash can.', 'trash_bin', 'bucket', 'truth'],
    ['can opener', 'pen', 'can_opener', 'distractor'],
    ['a drying rack for plates', 'plate', 'drying_rack_for_plates', 'distractor'],
    ['several plates', 'plate', 'drying_rack_for_plates', 'truth'],
    ['can of cola', 'pop_can', 'beer_bottle', 'truth'],
    ['alarm-clock', 'alarm_clock', 'beagle', 'truth'],
    ['a T-shirt', 't_shirt', 'sweater', 'truth'],
    ['binder', 'binder_(closed)', 'envelope', 'truth'],
    ['both the mug and the ladle', 'mug', 'ladle', 'both'],
    ['I cannot say', 'mug', 'ladle', 'neither'],
  ] as const)('%s (%s or %s) names %s', (answer, truth, distractor, named) => {
    expect(read(answer, truth, distractor)).toBe(named);
    expect(read(answer, truth, distractor, 'substring')).toBe(named);
  });
  it('does not find a word inside another', () => {
    expect(read('it is open', 'pen', 'mug')).toBe('neither');
    expect(read('it is open', 'pen', 'mug', 'substring')).toBe('truth');
  });
  it('has the 32 synonyms of ImageNet-D', () => expect(Object.keys(imagenetDSynonyms)).toHaveLength(32));
  it('gives half for one order of two', () => {
    const reading = { truth: 'a', distractor: 'b', synonyms: {}, matching: 'words' } as const;
    expect(judgeAnswers(['truth', 'distractor'], reading).probability).toBe(0.5);
    expect(judgeAnswers(['truth', 'neither'], reading).correct).toBe(false);
  });
});

describe('distractors', () => {
  const file = (text: string) => {
    const path = join(mkdtempSync(join(tmpdir(), 'distractors-')), 'table.csv');
    writeFileSync(path, text);
    return path;
  };
  it("are another model's mistakes, the label's usual mistake, else another class", async () => {
    const path = file(
      'model,scenario,sample,label,prediction\nm,original,1.jpg,beagle,pug\nm,original,2.jpg,beagle,beagle\nm,original,3.jpg,pug,pug\n',
    );
    const loaded = await loadDistractors(path, ['beagle', 'pug', 'boxer']);
    expect(distractorFor(loaded, '1.jpg', 'beagle')).toBe('pug');
    expect(distractorFor(loaded, '2.jpg', 'beagle')).toBe('pug');
    const other = distractorFor(loaded, '3.jpg', 'pug');
    expect(['beagle', 'boxer']).toContain(other);
    expect(distractorFor(loaded, '3.jpg', 'pug')).toBe(other);
  });
  it("come from ImageNet-D's question files: CLIP's first answer if wrong, else its second", async () => {
    const path = file(
      'image_dir\tgt_category\ttop1_pred_cate\ttop2_pred_cate\nmug/a.png\tmug\tladle\tmug\nmug/b.png\tmug\tmug\tplate\n',
    );
    const loaded = await loadDistractors(path, []);
    expect(distractorFor(loaded, 'background/mug/a.png', 'mug')).toBe('ladle');
    expect(distractorFor(loaded, 'background/mug/b.png', 'mug')).toBe('plate');
  });
  it('come from the folder of question files, each with its nuisance', async () => {
    const head = 'image_dir\tgt_category\ttop1_pred_cate\ttop2_pred_cate\n';
    const folder = dirname(file(`${head}background/mug/a.png\tmug\tladle\tmug\n`));
    writeFileSync(join(folder, 'texture.csv'), `${head}texture/mug/b.png\tmug\tmug\tplate\n`);
    const loaded = await loadDistractors(folder, []);
    expect(distractorFor(loaded, 'background/mug/a.png', 'mug')).toBe('ladle');
    expect(distractorFor(loaded, 'texture/mug/b.png', 'mug')).toBe('plate');
    await expect(loadDistractors(mkdtempSync(join(tmpdir(), 'none-')), [])).rejects.toThrow(/no question files/);
  });
  it('need a second class', async () => {
    expect(() => distractorFor({ bySample: {}, byLabel: {}, classes: ['mug'] }, 'x', 'mug')).toThrow(
      /needs a wrong one for 'mug'/,
    );
  });
});
