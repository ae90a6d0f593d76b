// A page that is opened after the wall clock of the server was set back shows the time of what runs, not 0.

import { expect, test } from 'vitest';
import { systemClock } from '../../cli/src/platform.ts';
import { openBrowser, visit } from './support/browser.ts';
import { servePage, TypingModel } from './support/page-server.ts';
import { openTimeline, start } from './support/timeline.ts';

const browser = openBrowser();
const hourMs = 3_600_000;

test('time passes after the wall clock was set back', async () => {
  const model = new TypingModel();
  const lead = { name: 'lead', description: 'Leads', instructions: 'Lead.', model };
  // The clock of the run began before the wall clock was set back.
  const clock = { ...systemClock, now: () => Date.now() + hourMs };
  const { url } = await servePage([lead], { clock });
  const id = await start(url, 'lead');
  await model.next();
  const { page } = await visit(browser(), `${url}/#/s/${id}`);
  await openTimeline(page);
  const time = page.getByRole('treegrid').getByRole('row', { name: /^lead/ }).getByRole('gridcell').nth(2);
  await expect.poll(() => time.textContent()).toMatch(/^\d\.\d s$/);
});
