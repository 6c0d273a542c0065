import chromium from '@sparticuz/chromium';

/** Unpacked before the tests, which run side by side: none meets a browser that another is still writing. */
export default async function setup(): Promise<void> {
  await chromium.executablePath();
}
