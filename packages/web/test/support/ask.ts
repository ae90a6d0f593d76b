// What somebody does who talks to an agent.

import type { Page } from 'playwright-core';

export async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.getByLabel('Message').press('Enter');
}

/** Until the page hears what is said from now on: words are told to who listens, and not again. */
export async function whenListening(page: Page): Promise<void> {
  await page.locator('main[data-connection="live"]').waitFor();
}
