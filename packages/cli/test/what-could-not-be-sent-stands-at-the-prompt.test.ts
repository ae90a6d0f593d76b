// The promise: a message that could not be sent stands at the prompt again, and what was typed behind it stands on a line of its own.

import { expect, test } from 'vitest';
import { agentFile } from './support/command.ts';
import { desk, talk } from './support/talk.ts';

test('both are there, apart', async () => {
  const input = ['models: local/m', 'input:', '  format: json', '  schema: { type: object, required: [city] }'];
  const place = await desk(['sunny'], { 'desk.ai': agentFile(input) });
  const terminal = talk(place);
  await terminal.prompts();
  terminal.type('Paris\rLyon');
  await terminal.shows(/does not fit[\s\S]*desk> Paris\n *… Lyon *$/);
  expect(place.model.requests).toHaveLength(0);
});
