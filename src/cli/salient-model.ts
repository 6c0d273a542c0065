import { describeModel } from '../models/open.ts';

/** A model that marks pixels, read as such whatever its outputs look like. */
export async function salientModel(file: string) {
  const spec = { model: file, preprocessing: { task: 'segment' } } as const;
  return { spec, description: await describeModel(spec) };
}
