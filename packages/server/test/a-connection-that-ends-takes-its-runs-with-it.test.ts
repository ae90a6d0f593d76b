// The promise: who closes its channel ends what runs for it at once, and nothing of anybody else's.

import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { gate, hallOf } from './support/house.ts';
import { channels, openMcp } from './support/mcp-channels.ts';

test.each(channels)('%s', async (_, connect) => {
  const { opened, open } = gate();
  const hall = hallOf([agentOf('slow', () => ({ text: 'At last.', until: opened }))]);
  const { url } = await openMcp(hall);
  const [leaver, stayer] = await Promise.all([connect(url), connect(url)]);
  const lost = [1, 2].map(() => leaver.callTool({ name: 'slow', arguments: { text: 'Go.' } }).catch(() => 'gone'));
  const kept = stayer.callTool({ name: 'slow', arguments: { text: 'Go.' } });
  await expect.poll(() => hall.running).toBe(3);
  await leaver.close();
  await expect.poll(() => hall.running).toBe(1);
  expect(await Promise.all(lost)).toEqual(['gone', 'gone']);
  open();
  expect(await kept).toMatchObject({ content: [{ text: 'At last.' }] });
});
