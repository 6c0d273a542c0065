import { UserError } from '../../contracts/errors.ts';
import { defineModel } from '../define.ts';
import type { VlmDescription } from '../vlm/describe.ts';

export const vlmKind = defineModel<VlmDescription>({
  id: 'vlm',
  title: 'OpenAI-compatible vision endpoint',
  written: 'vlm:URL#MODEL',
  describes: ['vlm'],
  async describe(text, settings, options) {
    const [url, model] = text.split('#');
    if (!model || !URL.canParse(url) || !/^https?:/.test(url))
      throw new UserError(
        `Expected vlm:URL#MODEL (vlm:http://localhost:8000/v1#qwen2-vl) for --model but received 'vlm:${text}'`,
      );
    const { describeVlm } = await import('../vlm/describe.ts');
    return describeVlm({ url, model }, settings, options);
  },
  async open(described, options) {
    const { openVlm } = await import('../vlm/open.ts');
    return openVlm(described, options);
  },
});
