import { z } from 'zod';
import type { Inputs } from '../../run/inputs.ts';
import { openInputs } from '../../run/inputs.ts';
import type { ShareWork } from '../../run/queue/share-work.ts';
import { type RenderOptions, render } from '../../run/render.ts';
import { renderFormats, renderLayouts } from '../../run/render-layouts.ts';

const choicesSchema = z.strictObject({
  format: z.enum(renderFormats),
  quality: z.number().min(1).max(100),
  layout: z.enum(renderLayouts),
  size: z.number().int().positive().optional(),
});
export type RenderChoices = z.infer<typeof choicesSchema>;

/** What `render` was told, as the rendering takes it. */
export const renderSettings = (inputs: Inputs, { size, ...choices }: RenderChoices): Omit<RenderOptions, 'out'> => ({
  ...inputs,
  ...choices,
  scenarios: inputs.scenarios.map(({ name }) => name),
  photographs: { ...inputs.photographs, longSidePx: size },
});

export const openRenderInputs = (config: Inputs['config'], version: string): Promise<Inputs> =>
  openInputs(config, { version, models: 'none', layoutOption: '--data-layout' });

export const renderShares: ShareWork = {
  paths: [],
  async open({ config, choices, out, version }) {
    const settings = renderSettings(await openRenderInputs(config, version), choicesSchema.parse(choices));
    return { carryOut: (share) => render({ ...settings, out, share, sideBySide: true }) };
  },
};
