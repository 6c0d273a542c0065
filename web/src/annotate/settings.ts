import { signal } from '@preact/signals';
import type { Tool } from './editor.ts';

/** Settings of the drawing tools; they stay as one goes from picture to picture. */
export const tool = signal<Tool>('box');
/** Radius of brush, eraser and doubt, in screen pixels: what is seen is what is painted, at any zoom. */
export const radius = signal(14);
export const opacity = signal(0.4);
export const isHidden = signal(false);

export const largestRadius = 120;
export const resize = (factor: number): void => {
  radius.value = Math.min(largestRadius, Math.max(1, Math.round(radius.value * factor + Math.sign(factor - 1))));
};
export const fade = (by: number): void => {
  opacity.value = Math.min(1, Math.max(0, Math.round(10 * (opacity.value + by)) / 10));
};
