import { defineChannel } from './channel.ts';

export const channelRed = defineChannel('red');
