import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { channels, openMcp } from './support/mcp-channels.ts';

test.each(channels)('%s: tools are listed, called, and answer once', async (_, connect) => {
  const house = await openMcp(hallOf([agentOf('echo', () => 'Said again.')]));
  const client = await connect(house.url);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
  const answers = await Promise.all(
    [1, 2, 3].map(() => client.callTool({ name: 'echo', arguments: { text: 'Hello.' } })),
  );
  for (const answer of answers) expect(answer).toMatchObject({ content: [{ type: 'text', text: 'Said again.' }] });
});
