// The promise: every limit that the stand-in knows is broken once here, and found.
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { checkPayload } from './support/check-payload.ts';
import { startSlack } from './support/slack-stand-in.ts';
import type { Thing } from './support/values.ts';

const long = (length: number) => 'x'.repeat(length);
const plain = (text: string) => ({ type: 'plain_text', text });
const button = (more: Thing = {}) => ({ type: 'button', action_id: 'a', text: plain('Stop'), ...more });
const actions = (...elements: Thing[]) => ({ type: 'actions', elements });
const section = (text: string, type = 'mrkdwn') => ({ type: 'section', text: { type, text } });
const words = (...elements: Thing[]) => ({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] });
const list = (more: Thing) => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }],
      ...more,
    },
  ],
});
const table = (rows: number, columns: number, text = 'x') => ({
  type: 'table',
  rows: Array.from({ length: rows }, () => Array.from({ length: columns }, () => ({ type: 'raw_text', text }))),
});
const field = (element: Thing, more: Thing = {}) => ({
  type: 'input',
  block_id: 'q',
  label: plain('What?'),
  element,
  ...more,
});
const menu = (type: string, count: number) => ({
  type,
  action_id: 'a',
  options: Array.from({ length: count }, (_, index) => ({ text: plain(`o${index}`), value: `v${index}` })),
});
const post = (more: Thing) => ({ channel: 'C1', text: 'x', unfurl_links: false, unfurl_media: false, ...more });
const view = (more: Thing) => ({
  trigger_id: 't',
  view: { type: 'modal', title: plain('Ask'), submit: plain('Ask'), blocks: [], ...more },
});

/** What is wrong, what Slack says to it, and a piece of the sentence. */
const BLOCKS: readonly [Thing[], string | undefined, string][] = [
  [Array.from({ length: 51 }, () => ({ type: 'divider' })), 'invalid_blocks', '51 blocks'],
  [[{ type: 'sparkle' }], 'invalid_blocks', 'no known type'],
  [
    [
      { type: 'divider', block_id: 'b' },
      { type: 'divider', block_id: 'b' },
    ],
    'invalid_blocks',
    'block_id of another',
  ],
  [[{ type: 'divider', block_id: long(256) }], 'invalid_blocks', 'block_id over 255'],
  [[section(long(3001))], 'invalid_blocks', '3001 characters'],
  [[section('')], 'invalid_blocks', 'is empty'],
  [[{ type: 'section', fields: Array.from({ length: 11 }, () => plain('x')) }], 'invalid_blocks', '11 fields'],
  [[{ type: 'section', fields: [plain(long(2001))] }], 'invalid_blocks', '2001 characters'],
  [[{ type: 'header', text: plain(long(151)) }], 'invalid_blocks', '151 characters'],
  [[{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }], 'invalid_blocks', 'of type mrkdwn'],
  [[{ type: 'context', elements: Array.from({ length: 11 }, () => plain('x')) }], 'invalid_blocks', '11 elements'],
  [
    [actions(...Array.from({ length: 26 }, (_, index) => button({ action_id: `a${index}` })))],
    'invalid_blocks',
    '26 elements',
  ],
  [[actions(button(), button())], 'invalid_blocks', 'action_id twice'],
  [[actions(button({ text: plain(long(76)) }))], 'invalid_blocks', '76 characters'],
  [[actions(button({ value: long(2001) }))], 'invalid_blocks', 'value of 2001'],
  [[actions(button({ action_id: long(256) }))], 'invalid_blocks', 'action_id over 255'],
  [[actions(button({ url: `https://e.com/${long(3000)}` }))], 'invalid_blocks', 'url over 3000'],
  [[actions(button({ style: 'warning' }))], 'invalid_blocks', 'style warning'],
  [
    [
      actions(
        button({ confirm: { title: plain(long(101)), text: plain('x'), confirm: plain('Yes'), deny: plain('No') } }),
      ),
    ],
    'invalid_blocks',
    'confirm title has 101',
  ],
  [[actions(button({ action_id: undefined }))], undefined, 'no action_id'],
  [[table(101, 1)], 'invalid_blocks', '101 rows'],
  [[table(1, 21)], 'invalid_blocks', '21 columns'],
  [[table(1, 1), table(1, 1)], 'only_one_table_allowed', '2 tables'],
  [[table(100, 20, 'sixsix')], 'invalid_blocks', '12000 characters'],
  [[table(1, 2, '')], 'invalid_blocks', 'empty cell'],
  [[words({ type: 'text', text: '' })], 'invalid_blocks', 'empty text'],
  [[words({ type: 'paragraph', text: 'x' })], 'invalid_blocks', 'element of type paragraph'],
  [[words({ type: 'text', text: 'x', style: { big: true } })], 'invalid_blocks', 'style big'],
  [[words()], 'invalid_blocks', 'no elements'],
  [[list({ indent: 9 })], 'invalid_blocks', 'indent 9'],
  [[list({ style: 'dash' })], 'invalid_blocks', 'style dash'],
  [[words({ type: 'text', text: long(12_001) })], 'msg_blocks_too_long', '12001 characters together'],
  [[words({ type: 'user', user_id: 'U1' })], undefined, 'mentions the user U1'],
  [[words({ type: 'usergroup', usergroup_id: 'S1' })], undefined, 'mentions the usergroup S1'],
  [[words({ type: 'broadcast', range: 'here' })], undefined, 'mentions the broadcast here'],
  [[words({ type: 'channel', channel_id: 'C1' })], undefined, 'mentions the channel C1'],
  [
    [words({ type: 'link', url: 'https://evil.com', text: 'https://bank.com' })],
    undefined,
    'that reads https://bank.com',
  ],
  [[words({ type: 'link', url: 'https://evil.com', text: 'www.bank.com/login' })], undefined, 'that reads'],
  [[words({ type: 'link', url: 'javascript:alert(1)', text: 'x' })], undefined, 'link to javascript'],
  [[section('<https://evil.com|bank.com>')], undefined, 'that reads bank.com'],
  [[section('hi <!channel>')], undefined, 'mentions <!channel>'],
  [[{ type: 'markdown', text: '[https://bank.com](https://evil.com)' }], undefined, 'that reads'],
];

const PAYLOADS: readonly [string, Thing, string | undefined, string][] = [
  ...BLOCKS.map(([blocks, word, piece]) => ['chat.postMessage', post({ blocks }), word, piece] as const).map(
    (row) => [...row] as [string, Thing, string | undefined, string],
  ),
  ['chat.postMessage', post({ text: '' }), 'no_text', 'neither text nor blocks'],
  ['chat.postMessage', post({ text: long(4001) }), undefined, 'advises 4000'],
  ['chat.postMessage', post({ text: long(40_001) }), 'msg_too_long', '40001'],
  ['chat.postMessage', post({ text: '<!here> <!everyone> <!subteam^S1>' }), undefined, '<!subteam^S1>'],
  ['chat.postMessage', post({ text: '<@U1>' }), undefined, 'mentions <@U1>'],
  ['chat.postMessage', post({ text: '<#C1|general>' }), undefined, 'mentions <#C1|general>'],
  ['chat.postMessage', post({ thread_ts: '1700000000.1' }), undefined, 'thread_ts is'],
  ['chat.postMessage', post({ unfurl_links: undefined }), undefined, 'unfurl_links'],
  ['chat.postMessage', post({ link_names: '1' }), undefined, 'become mentions'],
  ['chat.postEphemeral', { channel: 'C1', text: 'x' }, 'user_not_in_channel', 'user is no id'],
  ['chat.update', { channel: 'C1', ts: 17, text: 'x' }, undefined, 'ts is 17'],
  ['chat.appendStream', { ts: '1700000000.000001', markdown_text: long(12_001) }, 'msg_too_long', '12001'],
  ['chat.appendStream', { ts: '1700000000.000001', chunks: [{ type: 'words' }] }, 'invalid_chunks', 'type words'],
  ['chat.appendStream', { ts: '1700000000.000001' }, 'no_text', 'nothing to append'],
  ['views.open', view({ title: plain(long(25)) }), 'invalid_arguments', 'title has 25'],
  ['views.open', view({ private_metadata: long(3001) }), 'invalid_arguments', 'private_metadata'],
  ['views.open', view({ callback_id: long(256) }), 'invalid_arguments', 'callback_id'],
  [
    'views.open',
    view({ blocks: Array.from({ length: 101 }, () => ({ type: 'divider' })) }),
    'invalid_arguments',
    '101 blocks',
  ],
  [
    'views.open',
    view({ submit: undefined, blocks: [field(menu('static_select', 1))] }),
    'invalid_arguments',
    'without submit',
  ],
  ['views.open', view({ blocks: [field(menu('static_select', 101))] }), 'invalid_arguments', '101 options'],
  ['views.open', view({ blocks: [field(menu('static_select', 0))] }), 'invalid_arguments', '0 options'],
  ['views.open', view({ blocks: [field(menu('radio_buttons', 11))] }), 'invalid_arguments', '11 options'],
  ['views.open', view({ blocks: [field(menu('checkboxes', 11))] }), 'invalid_arguments', '11 options'],
  [
    'views.open',
    view({ blocks: [field({ type: 'plain_text_input', initial_value: long(3001) })] }),
    'invalid_arguments',
    '3001',
  ],
  [
    'views.open',
    view({ blocks: [field({ type: 'plain_text_input', max_length: 3001 })] }),
    'invalid_arguments',
    'max_length',
  ],
  [
    'views.open',
    view({ blocks: [field(menu('checkboxes', 1), { label: plain(long(2001)) })] }),
    'invalid_arguments',
    'label has 2001',
  ],
];

test.each(PAYLOADS)('%s %#', (method, args, word, piece) => {
  const breaches = checkPayload(method, args, new Set());
  expect(breaches.map(({ sentence }) => sentence).join('\n')).toContain(piece);
  expect(breaches.find((breach) => breach.sentence.includes(piece))?.word).toBe(word);
});

test('what is right has no fault', () => {
  const blocks = [
    { type: 'header', text: plain('Answer') },
    words(
      { type: 'text', text: '<!channel> & <@U1>', style: { bold: true } },
      { type: 'link', url: 'https://a.com/b', text: 'README.md' },
    ),
    list({ indent: 8, border: 1 }),
    table(100, 20),
    { type: 'context', elements: [{ type: 'mrkdwn', text: '<@U2> asked, <https://a.com|timeline>' }] },
    actions(button({ style: 'danger', value: 'x' }), button({ action_id: 'b', url: 'https://a.com' })),
  ];
  expect(checkPayload('chat.postMessage', post({ blocks, text: '&lt;!channel&gt;' }), new Set(['U2']))).toEqual([]);
});

test('who calls too often is told so, and untaken faults fail the test', async () => {
  const slack = await startSlack({ streaming: false });
  const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
  const channel = slack.channel('general');
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'x', unfurl_links: false, unfurl_media: false });
  await client.chat.update({ channel, ts, text: 'y' });
  expect(slack.faults).toEqual([]);
  await client.chat.update({ channel, ts, text: 'z' });
  expect(slack.takeFaults()).toEqual(['chat.update: 2 calls within 900 ms, of 1.']);
  const stream = client.chat.startStream({ channel, thread_ts: ts, markdown_text: 'x' });
  await expect(stream).rejects.toThrow('unknown_method');
  await client.chat.postMessage({ channel, text: '<!channel>', unfurl_links: false, unfurl_media: false });
  await expect(slack.close()).rejects.toThrow('mentions <!channel>');
});
