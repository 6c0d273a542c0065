import { effect, signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';
const key = 'sceneshift-theme';

/** `auto`: as the system says. Kept in the browser, not in the address: it is the reader's, not the page's. */
export const theme = signal<Theme>((localStorage.getItem(key) as Theme | null) ?? 'auto');

const next: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' };
export const changeTheme = (): void => {
  theme.value = next[theme.value];
};

effect(() => {
  if (theme.value === 'auto') {
    localStorage.removeItem(key);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(key, theme.value);
    document.documentElement.dataset.theme = theme.value;
  }
});
