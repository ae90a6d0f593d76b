// The promise: what a program posted, and what a person hands on, is read whole, whether it stands in a text, in blocks or in attachments.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { peopleIn, toLine } from '../src/ask/said.ts';
import { isAnswered, saidTo } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import type { Thing } from './support/values.ts';

const bot = { user: 'UBOT' };
const labelOf = (user: string) => (user === 'U1' ? 'Jane' : undefined);
const textOf = (message: object) =>
  toLine({ ts: '1700000000.000100', bot_id: 'B1', username: 'Alerts', text: '', ...message }, bot, labelOf)
    ?.replace('[2023-11-14 22:13 UTC] Alerts: ', '')
    .replaceAll('\n    ', '\n');
const rich = (...elements: object[]) => ({ blocks: [{ type: 'rich_text', elements }] });
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const word = (text: string) => ({ type: 'text', text });

test('sections, fields, headers, contexts and tables', () => {
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Disk &amp; memory' } },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*Full* for <@U1>' },
      fields: [{ text: 'host: a' }, { text: 'use: 99%' }],
    },
    { type: 'divider' },
    {
      type: 'context',
      elements: [
        { type: 'image', alt_text: 'red' },
        { type: 'mrkdwn', text: '<https://example.com|more>' },
      ],
    },
    {
      type: 'table',
      rows: [
        [
          { type: 'raw_text', text: 'a' },
          { type: 'rich_text', elements: [section(word('b'))] },
        ],
      ],
    },
    { type: 'markdown', text: '**as it is**' },
    { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Mute' } }] },
  ];
  expect(textOf({ blocks })).toBe(
    'Disk & memory\n*Full* for @Jane\nhost: a\nuse: 99%\nred more (https://example.com)\na | b\n**as it is**',
  );
});

test('rich text: lists, quotes, code, links, people', () => {
  const message = rich(
    section(
      word('1 < 2, '),
      { type: 'user', user_id: 'U1' },
      { type: 'link', url: 'https://example.com', text: 'page' },
    ),
    { type: 'rich_text_list', style: 'ordered', elements: [section(word('one')), section(word('two'))] },
    { type: 'rich_text_list', style: 'bullet', elements: [section(word('dot'))] },
    { type: 'rich_text_quote', elements: [word('said\ntwice')] },
    { type: 'rich_text_preformatted', elements: [word('x = 1')] },
    section(
      { type: 'broadcast', range: 'here' },
      { type: 'emoji', name: 'tada' },
      { type: 'channel', channel_id: 'C1' },
    ),
  );
  expect(textOf(message)).toBe(
    '1 < 2, @Janepage (https://example.com)\n1. one\n2. two\n- dot\n> said\n> twice\n```\nx = 1\n```\n@here:tada:#C1',
  );
});

test('attachments: their text and fields, else their fallback; previews of links are not said by anybody', () => {
  const fields = [{ title: 'Host', value: 'a' }, { value: 'b' }];
  expect(textOf({ attachments: [{ pretext: 'Alert', title: 'CPU', text: 'high', fields, fallback: 'no' }] })).toBe(
    'Alert\nCPU\nhigh\nHost: a\nb',
  );
  expect(textOf({ attachments: [{ fallback: 'CPU &gt; 90%' }] })).toBe('CPU > 90%');
  expect(textOf({ text: 'look', attachments: [{ from_url: 'https://example.com', text: 'a page' }] })).toBe('look');
  expect(textOf({ text: 'look', attachments: [{ text: 'detail' }] })).toBe('look\ndetail');
});

test('what a notification says is not all: longer blocks stand for it', () => {
  const message = rich(section(word('the whole of it')));
  expect(textOf({ ...message, text: 'the whole' })).toBe('the whole of it');
  expect(textOf({ ...message, text: 'a text that is longer' })).toBe('a text that is longer');
  expect(textOf({ ...message, bot_id: undefined, user: 'U1', text: 'hi' })).toContain('Jane: hi');
});

test('who posted it: the name it goes by', () => {
  const who = (message: object) => toLine({ ts: '1700000000.000100', text: 'x', ...message }, bot, labelOf)?.slice(23);
  expect(who({ bot_id: 'B1', bot_profile: { name: 'Pager' } })).toBe('Pager: x');
  expect(who({ bot_id: 'B1', username: '\n' })).toBe('B1: x');
  expect(who({})).toBe('somebody: x');
});

test('shapes that nobody expects say nothing', () => {
  for (const blocks of [
    'x',
    [null, 'x', {}, { type: 'rich_text', elements: 'x' }, { type: 'table', rows: [1, [null]] }],
  ])
    expect(textOf({ blocks, attachments: [null, 7] })).toBeUndefined();
});

test('who hands on a message with words of their own hands it on', () => {
  const shared = { is_share: true, from_url: 'https://a.example', text: 'db-7 is full, <@U1>' };
  const attachments = [shared, { from_url: 'https://b.example', text: 'a page' }, { text: 'of an app' }];
  const ofPerson = { bot_id: undefined, user: 'U1', username: undefined };
  expect(textOf({ ...ofPerson, text: 'see this', attachments })).toMatch(/Jane: see this\ndb-7 is full, @Jane$/);
  expect(textOf({ ...ofPerson, attachments })).toMatch(/Jane: db-7 is full, @Jane\nof an app$/);
});

test('whose names it takes: of all that is read, and of nothing else', () => {
  const blocks = [
    { type: 'section', text: { type: 'mrkdwn', text: 'for <@U2|two>' } },
    ...rich(section({ type: 'user', user_id: 'U3' })).blocks,
  ];
  const attachments = [{ text: '<@U4>' }, { is_share: true, from_url: 'https://a.example', text: '<@U5>' }];
  const people = (message: object) => peopleIn({ blocks, attachments, text: 'for <@U6>', ...message });
  expect(people({ bot_id: 'B1' })).toEqual(['U6', 'U2', 'U3', 'U4', 'U5']);
  expect(people({ user: 'U1' })).toEqual(['U1', 'U6', 'U5']);
  expect(people({ user: 'U1', text: '' })).toEqual(['U1', 'U2', 'U3', 'U4', 'U5']);
});

test('what an agent is asked is read so too, without our own name', async () => {
  const model = scriptedModel((_, call) => `Answer ${call}.`);
  const engage = ['channel-posts' as const, 'mentions' as const];
  const routing = { rules: [{ channels: ['*'], engage, bots: true, contextPolicy: 'none' as const }] };
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack } = await openSlackHouse([agent], { settings: { routing } });
  const [channel, jane, joe] = [slack.channel('general'), slack.person('jane'), slack.person('joe')];
  const us = `<@${slack.bot}>`;
  const asked = async (message: Thing, type = 'message') => {
    const posted = slack.workspace.post({ channel, text: '', ...message });
    await slack.deliver({ ...slack.workspace.toWire(posted), type, channel, channel_type: 'channel' });
    await slack.until(() => isAnswered(slack.thread(channel, posted.ts), 'Answer '), 'an answer');
    return model.requests.slice(-1).flatMap(saidTo).at(-1);
  };
  const program = { bot_id: 'B9', subtype: 'bot_message' };
  const fields = [{ title: 'on call', value: `<@${joe}>` }];
  expect(
    await asked({ ...program, text: '[FIRING] Disk', attachments: [{ text: `${us} db-7 is full`, fields }] }),
  ).toBe('user: [FIRING] Disk\ndb-7 is full\non call: @joe');
  const elements = [{ type: 'user', user_id: slack.bot }, word(' lint failed, '), { type: 'user', user_id: joe }];
  expect(await asked({ ...program, text: 'Build failed', ...rich(section(...elements)) })).toBe(
    'user: lint failed, @joe',
  );
  const shared = { is_share: true, from_url: 'https://a.example', text: `db-7 is full, <@${joe}>` };
  expect(await asked({ user: jane, text: `${us} what is this?`, attachments: [shared] }, 'app_mention')).toBe(
    'user: what is this?\ndb-7 is full, @joe',
  );
});
