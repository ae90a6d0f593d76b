// The promise: neither prompts, models, tools, settings nor files of an agent are in the document.

import { expect, test } from 'vitest';
import { documentOf, served } from './support/documented.ts';

test('only what callers need', async () => {
  const agent = served('open', {
    name: 'inner-name',
    description: 'Open to all.',
    instructions: 'INSTRUCTIONS-WORD',
    model: 'PROVIDER-WORD/MODEL-WORD',
    tools: [{ name: 'TOOL-WORD', description: 'x', inputSchema: { type: 'object' }, execute: async () => '' }],
    settings: { temperature: 0.123 },
    budget: { tokens: 987654 },
    texts: {},
    input: {
      format: 'json',
      schema: { $id: 'file:///home/somebody/FILE-WORD.json', $comment: 'COMMENT-WORD', type: 'object' },
    },
  });
  const text = JSON.stringify(await documentOf([{ ...agent, session: { envOverlay: { KEY: 'VALUE-WORD' } } }]));
  expect(text).toContain('Open to all.');
  const hidden = ['INSTRUCTIONS', 'PROVIDER', 'MODEL', 'TOOL', 'FILE', 'COMMENT', 'VALUE'].map((one) => `${one}-WORD`);
  for (const word of [...hidden, 'inner-name', '0.123', '987654', '/home/', process.cwd()])
    expect(text).not.toContain(word);
});
