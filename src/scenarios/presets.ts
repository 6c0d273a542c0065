/** A named list of scenarios. */
export interface Preset {
  readonly title: string;
  /** Whose list it is, and where it differs. */
  readonly description: string;
  readonly scenarios: readonly string[];
}

/** The fifteen of ImageNet-C, in its order; the other four are its validation set. */
const corruptions = [
  'gaussian-noise',
  'shot-noise',
  'impulse-noise',
  'defocus-blur',
  'glass-blur',
  'motion-blur',
  'zoom-blur',
  'snow',
  'frost',
  'fog',
  'brightness',
  'contrast',
  'elastic',
  'pixelate',
  'jpeg',
];

export const presets: Record<string, Preset> = {
  quick: {
    title: 'A first look',
    description: 'Six edits that say most about how far a model leans on the scene.',
    scenarios: ['original', 'blur-background', 'blur-object', 'grey', 'random-background', 'segmented', 'no-fg'],
  },
  'ximagenet-12': {
    title: 'XIMAGENET-12',
    description:
      "The paper's scenarios by its code's recipes, the eight columns of its Table 1 first; its random background as the code makes it (added) and as the text says it (pasted). generated-background, its AI-generated ones, takes a second a picture and is not in it.",
    scenarios: [
      'original',
      'blur-background',
      'blur-object',
      'tint-green',
      'tint-blue',
      'grey',
      'tint-red',
      'random-background-additive',
      'segmented',
      'random-background',
      'rainbow',
      'bright-background',
      'bright-object',
      'transparent',
    ],
  },
  'imagenet-e': {
    title: 'ImageNet-E',
    description:
      "The paper's edits of background, size, position and direction, by diffusion as in the paper: λ of −20, 20 and 20-adv, the inversion control, moved objects blended into their place. Some 30 s a picture with the embedded model; imagenet-e-plain takes none of it.",
    scenarios: [
      'original',
      'inversion',
      'complexity-diffusion:-20',
      'complexity-diffusion:20',
      'complexity-diffusion:20-adv',
      'random-background',
      'size:full',
      'size:areaShare=0.1+blend=diffusion',
      'size:areaShare=0.08+blend=diffusion',
      'size:areaShare=0.05+blend=diffusion',
      'position:blend=diffusion',
      'direction:blend=diffusion',
    ],
  },
  'imagenet-e-plain': {
    title: 'ImageNet-E without diffusion',
    description:
      'The same edits at the speed of pasting: complexity by ±20 % stands for its λ of ±20, paste-back for its inversion control; its adversarial background is not in it.',
    scenarios: [
      'original',
      'paste-back',
      'complexity:-20',
      'complexity:20',
      'random-background',
      'size:full',
      'size:0.1',
      'size:0.08',
      'size:0.05',
      'position',
      'direction',
    ],
  },
  'imagenet-9': {
    title: 'ImageNet-9',
    description: 'The seven versions of the backgrounds challenge; mixed-same minus mixed-rand is its BG-Gap.',
    scenarios: ['original', 'mixed-same', 'mixed-rand', 'mixed-next', 'only-fg', 'no-fg', 'only-bg-b', 'only-bg-t'],
  },
  industrial: {
    title: 'Camera and light',
    description: 'What changes between two production lines: the camera, the light and its colour.',
    scenarios: [
      'original',
      'camera-shift',
      'lighting',
      'lighting:over',
      'lighting:under',
      'lighting:gamma',
      'white-balance',
      'white-balance:10000',
    ],
  },
  corruptions: {
    title: 'ImageNet-C',
    description: 'The fifteen corruptions at each of the five severities, on the whole image: 75 scenarios.',
    scenarios: ['original', ...corruptions.flatMap((id) => [1, 2, 3, 4, 5].map((severity) => `${id}:${severity}`))],
  },
};
