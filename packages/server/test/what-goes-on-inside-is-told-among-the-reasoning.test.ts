// The promise: what is thought, and where it is wanted what goes on inside, is told beside the answer and never in it.

import { asTool, type ToolOffer } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { createApp, Hall, openai } from '../src/index.ts';
import { agentOf, call, lastResult } from './contract/people.ts';
import { TalkClient, talkHouse } from './support/talk-client.ts';

/** Thinks, asks a child that thinks too, and answers. */
function plant() {
  const child = agentOf('child', [{ reasoning: 'A thought of a child.', text: 'the words of a child' }]);
  return agentOf(
    'lead',
    (request) =>
      lastResult(request)
        ? { reasoning: 'So that is it.', text: 'The answer.' }
        : { ...call('child', { text: 'go', reason: 'to know more' }), reasoning: 'Let me think.' },
    { tools: [asTool(child) as ToolOffer] },
  );
}

const activity = (isShown: boolean) => ({ more: { ai_agent: { activity: isShown } } });

describe.each([false, true])('in pieces: %s', (isStream) => {
  test('thoughts of whoever answers, turn by turn, and nothing of those below', async () => {
    const said = await new TalkClient(talkHouse([plant()]).app, 'lead', { isStream }).say('Go.');
    expect([said.text, said.reasoning]).toEqual(['The answer.', 'Let me think.\n\nSo that is it.']);
  });

  test('where it is wanted, what is done, in its order', async () => {
    const client = new TalkClient(talkHouse([plant()]).app, 'lead', { isStream, ...activity(true) });
    const said = await client.say('Go.');
    expect(said.text).toBe('The answer.');
    expect(said.reasoning.split('\n\n')).toEqual([
      'Let me think.',
      expect.stringMatching(/^lead calls child.*to know more/),
      expect.stringMatching(/^child begins/),
      'child has ended',
      'So that is it.',
    ]);
    expect(said.reasoning).not.toContain('of a child');
  });

  test('as the server is set up, unless the request says otherwise', async () => {
    const lead = plant();
    const hall = new Hall({ agents: () => [{ name: 'lead', agent: lead }], ports: talkHouse([]).hall.ports });
    const app = createApp(hall, [openai({ showsActivity: true })]);
    expect((await new TalkClient(app, 'lead', { isStream }).say('Go.')).reasoning).toContain('lead calls child');
    const quiet = new TalkClient(app, 'lead', { isStream, ...activity(false) });
    expect((await quiet.say('Go.')).reasoning).not.toContain('lead calls child');
  });

  test('thoughts of an attempt that broke off do not come again with the reply, whatever was told between', async () => {
    const breaks = scriptedModel([{ reasoning: 'First thought.', text: 'abc', cutAfter: 0 }], { model: 'first' });
    const lasts = scriptedModel([{ reasoning: 'Second thought.', text: 'The answer.' }], { model: 'second' });
    const lead = agentOf('lead', [], { model: [breaks, lasts], limits: { maxRetries: 1 } });
    const client = new TalkClient(talkHouse([lead]).app, 'lead', { isStream, ...activity(true) });
    const { reasoning, text } = await client.say('Go.');
    expect(text).toBe('The answer.');
    expect(reasoning.match(/Second thought\./g)).toHaveLength(1);
    expect(reasoning.match(/First thought\./g) ?? []).toHaveLength(isStream ? 1 : 0);
  });
});
