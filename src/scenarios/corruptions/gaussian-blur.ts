import { defineCorruption, type Severities } from './define-corruption.ts';
import { gaussianLevels } from './shared/gaussian.ts';

export const gaussianBlurSigmasPx: Severities<number> = [1, 2, 3, 4, 6];

export const gaussianBlur = defineCorruption({
  id: 'gaussian-blur',
  title: 'Gaussian blur',
  description: 'A Gaussian blur of the photograph (ImageNet-C, extra).',
  severities: gaussianBlurSigmasPx,
  corrupt: gaussianLevels,
});
