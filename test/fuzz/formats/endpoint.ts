import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeVlm } from '../../../src/models/vlm/describe.ts';
import { openVlm } from '../../../src/models/vlm/open.ts';
import { pattern } from '../../fixtures/models/pattern.ts';
import type { FuzzTarget } from '../fuzz.ts';
import { oddReply, openServer, packed } from './servers.ts';

const reply = {
  choices: [{ message: { role: 'assistant', content: 'a beagle' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 2 },
};
const whole = { '': { status: 200, headers: {}, body: '{}' } };

export const endpointTarget: FuzzTarget = {
  name: 'endpoint',
  mostMegabytes: 150,
  make: (random) => packed({ '': oddReply(reply, random) }),
  async open() {
    const { url, give } = await openServer();
    const cacheDir = mkdtempSync(join(tmpdir(), 'sceneshift-fuzz-vlm-'));
    process.on('exit', () => rmSync(cacheDir, { recursive: true, force: true }));
    give(packed(whole));
    const options = { classes: ['beagle', 'pen'], cacheDir };
    const vlm = { retries: 0, distractors: { beagle: 'pen' } };
    const described = await describeVlm({ url: `${url}/v1`, model: 'tiny' }, { vlm }, options);
    let asked = 0;
    return async (input) => {
      give(input);
      // A picture asked about before is answered from the cache.
      const model = openVlm(described, options, { sleep: async () => undefined });
      try {
        const image = pattern({ width: 8, height: 8, seed: ++asked });
        image.data[0] = asked;
        image.data[1] = asked >> 8;
        image.data[2] = asked >> 16;
        const question = { sample: 'x', label: 'beagle', scenario: 'original', width: 8, height: 8 };
        const [answer] = await model.answer([await model.prepare(image)], [question]);
        if (!['verdict', 'failed'].includes(answer.kind)) throw new Error(`an answer that is none: ${answer.kind}`);
      } finally {
        await model.close();
      }
    };
  },
};
