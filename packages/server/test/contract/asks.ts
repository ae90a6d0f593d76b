// Conversations: a question in words and its answer; data in, data out.

import type { JsonSchema } from '@ai-agent/core';
import { expect } from 'vitest';
import { type Door, promise } from './door.ts';
import { agentOf } from './people.ts';

const city: JsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

const words = ({ messages }: { readonly messages: readonly unknown[] }) => JSON.stringify(messages.at(-1));

export function asksAndIsAnswered(door: Door): void {
  promise(door, [], 'words are answered in words, and both arrive as they are', async () => {
    const echo = agentOf('echo', (request) =>
      words(request).includes('Grüße, 世界? ✓') ? 'Ja: 世界 ✓\nund mehr' : '?',
    );
    const open = await door.open([echo]);
    const answered = await open.ask({ agent: 'echo', input: 'Grüße, 世界? ✓' });
    expect(answered).toMatchObject({ status: 'completed', text: 'Ja: 世界 ✓\nund mehr' });
    await open.close();
  });

  promise(door, [], 'each request is a session of its own: nobody hears what another said', async () => {
    const open = await door.open([agentOf('count', ({ messages }) => `${messages.length} said`)]);
    const ask = (input: string) => open.ask({ agent: 'count', input });
    const answered = await Promise.all([ask('one'), ask('two'), ask('three')]);
    expect(answered.map(({ text }) => text)).toEqual(['1 said', '1 said', '1 said']);
    expect(new Set(answered.map(({ sessionId }) => sessionId)).size).toBe(3);
    await open.close();
  });

  promise(door, ['take JSON'], 'data goes in by the contract of the agent, and comes out by it', async () => {
    const where = agentOf('where', (request) => (words(request).includes('Θήβα') ? '{"city":"Thebes"}' : '{}'), {
      input: { format: 'json', schema: city },
      output: { format: 'json', schema: city },
    });
    const open = await door.open([where]);
    const answered = await open.ask({ agent: 'where', input: { city: 'Θήβα' } });
    expect(answered).toMatchObject({ status: 'completed', report: { city: 'Thebes' } });
    await open.close();
  });

  promise(door, [], 'data that is no object comes out as it is', async () => {
    const list = agentOf('list', ['["Thebes",["Delphi"],null]'], {
      output: { format: 'json', schema: { type: 'array' } },
    });
    const open = await door.open([list]);
    const answered = await open.ask({ agent: 'list', input: 'Where?' });
    expect(answered).toMatchObject({ status: 'completed', report: ['Thebes', ['Delphi'], null] });
    await open.close();
  });

  promise(
    door,
    ['take JSON', 'refuse what is no input'],
    'data that breaks the contract is refused, and why',
    async () => {
      const where = agentOf('where', ['never asked'], { input: { format: 'json', schema: city } });
      const open = await door.open([where]);
      const { status, failure } = await open.ask({ agent: 'where', input: { town: 'Thebes' } });
      expect([status, failure?.class]).toEqual(['failed', 'usage']);
      expect(failure?.message).toContain('lacks "city"');
      await open.close();
    },
  );

  promise(
    door,
    ['ask for a schema'],
    'who asks an agent of words for data gets data that keeps the schema',
    async () => {
      const talker = agentOf('talker', ({ output }) =>
        output.format === 'json' ? '{"city":"Delphi"}' : 'It is Delphi.',
      );
      const open = await door.open([talker]);
      const answered = await open.ask({ agent: 'talker', input: 'Where?', schema: city });
      expect(answered).toMatchObject({ status: 'completed', report: { city: 'Delphi' } });
      await open.close();
    },
  );
}
