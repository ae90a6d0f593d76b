// The promise: where a session could not even open to go on, results and answers that are sent again go on with the very session.

import { defineTool, type ToolSource } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agentOf, lastResult } from './contract/people.ts';
import { requestsOf } from './support/openai-app.ts';
import { clientToolOf, linesOf, TalkClient, talkHouse } from './support/talk-client.ts';

const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'hidden work' });
const ask = { name: 'ask_user', input: { question: 'Which year?' } };

/** Tools that cannot be listed the second time, as those of a server that is away for a while. */
function shaky() {
  let listed = 0;
  return (): ToolSource => ({
    list: () => {
      if (++listed === 2) throw new Error('The server is away.');
      return [look];
    },
  });
}

/** Looks something up by itself, then waits for whoever asked, then says what it heard. */
function leadOf(waits: { readonly name: string; readonly input?: object }) {
  return agentOf(
    'lead',
    (request) => {
      const results = linesOf(request).filter((line) => line.startsWith('result'));
      return results.length === 2
        ? `Heard: ${lastResult(request)}.`
        : { calls: [results[0] ? waits : { name: 'look' }] };
    },
    { tools: [shaky()], ask: 'person' },
  );
}

describe.each([
  { how: 'at once', isStream: false },
  { how: 'in pieces', isStream: true },
])('$how', ({ isStream }) => {
  test('results', async () => {
    const lead = leadOf({ name: 'weather' });
    const { app, pauses } = talkHouse([lead]);
    const client = new TalkClient(app, 'lead', { isStream, tools: [clientToolOf('weather')] });
    const asks = await client.say('Go.');
    expect((await client.bring(['sunny'])).error).toBeDefined();
    const ends = await client.send();
    expect(ends).toMatchObject({ text: 'Heard: sunny.', about: { session_id: asks.about.session_id } });
    expect(requestsOf(lead)).toHaveLength(3);
    expect(pauses.handles.size).toBe(0);
  });

  test('an answer', async () => {
    const lead = leadOf(ask);
    const { app, pauses } = talkHouse([lead]);
    const client = new TalkClient(app, 'lead', { isStream });
    const asks = await client.say('Go.');
    expect((await client.say('1999')).error).toBeDefined();
    const ends = await client.send();
    expect(ends).toMatchObject({ text: 'Heard: 1999.', about: { session_id: asks.about.session_id } });
    expect(requestsOf(lead)).toHaveLength(3);
    expect(pauses.handles.size).toBe(0);
  });
});
