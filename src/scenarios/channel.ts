import { keepChannel } from '../image/colour.ts';
import { defineScenario, region } from './define.ts';
import { regionOf } from './region.ts';

const channels = { red: 0, green: 1, blue: 2 } as const;

/** What XIMAGENET-12's text calls a single channel; its code makes the tints instead. */
export const defineChannel = (colour: keyof typeof channels) =>
  defineScenario({
    id: `channel-${colour}`,
    family: 'colour',
    part: 'shift',
    title: `${colour[0].toUpperCase()}${colour.slice(1)} channel of the background`,
    description: `The background keeps its ${colour} channel and loses the other two, which become 0, as XIMAGENET-12's text (not its code) says.`,
    object: 'untouched',
    needs: ['mask'],
    params: { region: region().default('background') },
    apply: (scene, params) => keepChannel(scene.image, regionOf(scene, params.region), channels[colour]),
  });
