import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';
import { chromiumArgs } from './chromium-args.ts';

/** A real Chromium, from the package. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromiumArgs(chromium.args), ...more],
    headless: true,
  });
}

export interface Opened {
  readonly page: Page;
  /** Everything the page complained about or asked the network for. */
  readonly complaints: string[];
}

/** Opens a file from disk with the network off. */
export async function openOffline(context: BrowserContext, file: string): Promise<Opened> {
  await context.setOffline(true);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  return { page, complaints };
}
