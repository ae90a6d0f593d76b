// A real Chromium for the tests of a file: one browser for all of them, and a new profile for whoever asks.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { launchChromium, missing } from './chromium.ts';

/** Where there is none the tests of the file are skipped, and say so; where everything has to be there they fail. */
export function openBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
    if (!browser && process.env.CI) throw new Error(missing);
  }, 60_000);
  beforeEach(({ skip }) => {
    if (!browser) skip(missing);
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error(missing);
    return browser;
  };
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong in the page: errors, refusals of its policy, requests to anybody but us. */
  readonly problems: string[];
}

/** A page in a profile of its own. What goes wrong in it fails the test, unless that takes it out of `problems`. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  const problems: string[] = [];
  const ours = new URL(url).origin;
  context.on('request', (request) => {
    const to = new URL(request.url());
    if (/^(?:https?|wss?):$/.test(to.protocol) && to.origin !== ours) problems.push(`asks ${request.url()}`);
  });
  context.on('weberror', (error) => problems.push(`throws ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`says ${message.text()}`);
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  await page.goto(url);
  return { page, context, problems };
}
