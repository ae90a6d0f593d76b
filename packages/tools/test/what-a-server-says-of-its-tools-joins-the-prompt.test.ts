import { expect, test } from 'vitest';
import { toInstructions } from '../src/mcp/to-tool.ts';
import { changing, started } from './support/servers.ts';
import { walkWith } from './support/walk-with.ts';

test('the instructions of a server stand in the system prompt once, with the name of who says it', async () => {
  const { system } = await walkWith({ server: 'mine', config: started(changing), script: ['done'] });
  const said = 'What the server mine says about its tools, mine__…:\n\nCall change first.\n\nThen look again.';
  expect(system).toContain(said);
  expect(system.split('Call change first.')).toHaveLength(2);
});

test('nothing is said of a server whose tools nobody wants', async () => {
  const setUp = { isWanted: () => false };
  const { system } = await walkWith({ server: 'mine', config: started(changing), setUp, script: ['done'] });
  expect(system).not.toContain('Call change first.');
});

test('a server that says very much is cut', () => {
  const instructions = toInstructions({ serverName: 's', instructions: 'é'.repeat(9_000) });
  expect(instructions).toMatch(/é … \(cut here\)$/);
  expect(Buffer.byteLength(instructions ?? '')).toBeLessThan(8_200);
});
