// The timeline of a session in a page, as a test uses it.

import type { Json } from '@ai-agent/core';
import type { Locator, Page } from 'playwright-core';

/** Opens it, and gives its tree. */
export async function openTimeline(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Timeline', exact: true }).click();
  const tree = page.getByRole('treegrid');
  await tree.waitFor();
  return tree;
}

export async function start(url: string, agent: string, input: Json = 'Go'): Promise<string> {
  const response = await fetch(new URL('v1/sessions', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ agent, input }),
  });
  const { id } = (await response.json()) as { id: string };
  return id;
}
