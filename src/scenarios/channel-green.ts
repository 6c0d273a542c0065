import { defineChannel } from './channel.ts';

export const channelGreen = defineChannel('green');
