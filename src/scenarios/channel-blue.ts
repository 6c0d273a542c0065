import { defineChannel } from './channel.ts';

export const channelBlue = defineChannel('blue');
