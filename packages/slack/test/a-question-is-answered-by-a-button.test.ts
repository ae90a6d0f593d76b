// The promise: what a run asks, from any depth, is answered in its thread by whoever asked: by a button, a list, a form or in words; then its buttons are gone, and the answer stands there.

import { setTimeout } from 'node:timers/promises';
import { type Agent, asTool, defineAgent, defineTool } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { aboutOf, buttonsOf, findAnswer, isAnswered, saidTo, wordsOf } from './support/answers.ts';
import { openSlackHouse, type SlackHouseOptions } from './support/slack-house.ts';
import type { SlackStandIn } from './support/slack-stand-in.ts';
import { thingOf, thingsOf } from './support/values.ts';
import type { View } from './support/views.ts';
import type { Message } from './support/workspace.ts';

/** It asks, and says what it heard. */
function toAsker(input: object): Agent {
  const model = scriptedModel((request) => {
    const last = request.messages.at(-1);
    return last?.role === 'tool' ? `Heard ${last.content.at(-1)?.text}.` : { calls: [{ name: 'ask_user', input }] };
  });
  return defineAgent({ name: 'clerk', description: 'Asks', instructions: 'Ask.', ask: 'person', model });
}

/** Its child asks. */
function toLead(child: Agent): Agent {
  const model = scriptedModel((request) => {
    const last = request.messages.at(-1);
    if (last?.role === 'tool') return `So: ${last.content.at(-1)?.text}`;
    return { calls: [{ name: child.name, input: { reason: 'ask', text: 'go' } }] };
  });
  return defineAgent({ name: 'lead', model, instructions: 'Lead.', tools: [asTool(child)] });
}

async function openAsked(agent: Agent, button: string, settings: SlackHouseOptions['settings'] = {}) {
  const house = await openSlackHouse([agent], { settings });
  const { slack } = house;
  const channel = slack.channel('general');
  const [jane, joe] = [slack.person('jane'), slack.person('joe')];
  const { ts: threadTs } = await slack.say({ channel, user: jane, text: `<@${slack.bot}> go` });
  const thread = () => slack.thread(channel, threadTs);
  const find = () => thread().find((message) => buttonsOf(message).includes(button));
  await slack.until(() => find() !== undefined, 'a question');
  const { ts } = find() ?? { ts: '' };
  const answered = (words: string) => slack.until(() => isAnswered(thread(), words), words);
  const question = () => slack.message({ channel, ts });
  return { ...house, channel, jane, joe, threadTs, where: { channel, ts }, thread, answered, question };
}

async function openForm(slack: SlackStandIn, where: { channel: string; ts: string }, user: string): Promise<View> {
  const before = slack.views.length;
  await slack.press(where, 'Answer', user);
  await slack.until(() => slack.views.length > before, 'a form');
  return slack.views.at(-1) as View;
}

test('a choice of a child', async () => {
  const child = toAsker({ question: 'Which colour?', choices: ['red', 'blue'] });
  const { slack, jane, joe, where, answered, question, told } = await openAsked(toLead(child), 'blue');
  await slack.press(where, 'blue', joe);
  await slack.until(() => slack.ephemerals.length === 1);
  expect(slack.ephemerals[0]).toMatchObject({
    ephemeralFor: joe,
    text: 'Only the person who asked, or an admin, can answer.',
  });
  expect(buttonsOf(question())).toEqual(['red', 'blue', 'Never mind']);
  await Promise.all([slack.press(where, 'blue', jane), slack.press(where, 'red', jane)]);
  await answered('Heard blue.');
  await slack.until(() => slack.ephemerals.length === 2);
  expect(slack.ephemerals[1]?.text).toBe('This was answered already, or is not kept any more.');
  await slack.until(() => buttonsOf(question()).length === 0);
  expect(wordsOf(question())).toMatch(/^Which colour\?\nclerk asks\.\n.*\njane: blue$/);
  expect(told).toEqual([]);
});

test('a button of an earlier question answers no later one', async () => {
  const toCall = (question: string) => ({
    calls: [{ name: 'ask_user', input: { question, choices: ['red', 'blue'] } }],
  });
  const model = scriptedModel([toCall('Which roof?'), toCall('Which door?'), 'Thank you.']);
  const agent = defineAgent({ name: 'clerk', instructions: 'Ask.', ask: 'person', model });
  const { slack, jane, where, thread, question, answered } = await openAsked(agent, 'blue');
  const value = JSON.stringify({ ...aboutOf(question()), choice: 0 });
  await slack.press(where, 'red', jane);
  const findDoor = () => thread().find((message) => wordsOf(message).startsWith('Which door?'));
  await slack.until(() => findDoor() !== undefined, 'the second question');
  const { channel, ts } = findDoor() as Message;
  await slack.press({ channel, ts }, 'red', jane, { value });
  await slack.until(() => slack.ephemerals.length === 1);
  expect(slack.ephemerals[0]?.text).toBe('This was answered already, or is not kept any more.');
  expect(buttonsOf(findDoor())).toEqual(['red', 'blue', 'Never mind']);
  await slack.press({ channel, ts }, 'blue', jane);
  await answered('Thank you.');
});

test.each([
  [{ type: 'string', enum: ['small', 'large'] }, ['small', 'large'], 'large', 'Heard large.'],
  [{ type: 'boolean' }, ['Yes', 'No'], 'No', 'Heard false.'],
])('where a schema leaves a few answers, those are buttons: %j', async (schema, labels, button, heard) => {
  const { slack, jane, where, answered, question } = await openAsked(toAsker({ question: 'Which?', schema }), button);
  expect(buttonsOf(question())).toEqual([...labels, 'Never mind']);
  await slack.press(where, button, jane);
  await answered(heard);
});

test('many choices are a list', async () => {
  const choices = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const agent = toAsker({ question: 'Which?', choices });
  const { slack, jane, where, answered, question } = await openAsked(agent, '');
  await slack.press(where, { actionId: 'answer_select' }, jane, { value: 'f' });
  await answered('Heard f.');
  await slack.until(() => wordsOf(question()).endsWith('jane: f'));
});

test('choices that a list would cut have numbers, and stand whole in the question', async () => {
  const wipe = 'Delete the staging database together with all of its backups of the last thirty days';
  const choices = [`${wipe}, and keep production`, `${wipe},\nand \`\`\`production\`\`\` too`, 'Keep all'];
  const { slack, jane, where, answered, question } = await openAsked(toAsker({ question: 'Which?', choices }), '');
  const [actions] = question().blocks.filter(({ type }) => type === 'actions');
  const shown = thingsOf(thingsOf(actions?.elements)[0]?.options).map(({ text }) => String(thingOf(text).text));
  expect(shown).toEqual([
    expect.stringMatching(/^1\. Delete .*…$/),
    expect.stringMatching(/^2\. Delete .*…$/),
    '3. Keep all',
  ]);
  expect(wordsOf(question())).toContain(
    `Which?1. ${wipe}, and keep production\n2. ${wipe}, and \`\`\`production\`\`\` too\n3. Keep all`,
  );
  await slack.press(where, { actionId: 'answer_select' }, jane, { value: shown[1] ?? '' });
  await answered(`Heard ${wipe},\nand production too.`);
});

test('choices that look the same have numbers', async () => {
  const agent = toAsker({ question: 'Which?', choices: ['dark red', 'dark  red'] });
  const { slack, jane, where, answered, question } = await openAsked(agent, '');
  expect(wordsOf(question())).toContain('Which?1. dark red\n2. dark red\n');
  await slack.press(where, { actionId: 'answer_select' }, jane, { value: '2. dark red' });
  await answered('Heard dark  red.');
});

test('what is wrong in a form is said of its field, however long the question is and whatever it says', async () => {
  const properties = { name: { type: 'string' }, count: { type: 'integer', minimum: 1 } };
  const question = `Which "name" does not fit: ${'that is the question. '.repeat(20)}`;
  const { slack, jane, where } = await openAsked(
    toAsker({ question, schema: { type: 'object', properties } }),
    'Answer',
  );
  const view = await openForm(slack, where, jane);
  const refused = await slack.submit(view, { name: { input: 'Rex' }, count: { input: '0' } }, jane);
  expect(refused?.errors).toEqual({ count: '"count" must be >= 1.' });
});

test('a form that is answered in words says where it is; data is taken', async () => {
  const schema = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
  const { slack, channel, jane, threadTs, thread, answered } = await openAsked(
    toAsker({ question: 'When?', schema }),
    'Answer',
  );
  await slack.say({ channel, user: jane, text: 'on Friday', threadTs });
  const told = () => thread().map((message) => wordsOf(message));
  await slack.until(
    () => told().some((words) => words.startsWith('This is answered in a form: press Answer')),
    'a word',
  );
  await slack.say({ channel, user: jane, text: '{"day": "Friday"}', threadTs });
  await answered('Heard {"day":"Friday"}.');
});

test('a form tells what is wrong in it, and keeps strangers out', async () => {
  const properties = {
    day: { type: 'string' },
    people: { type: 'integer' },
    isPaid: { type: 'boolean' },
    size: { enum: ['small', 'large'] },
    extra: { type: 'object' },
  };
  const agent = toAsker({ question: 'When?', schema: { type: 'object', properties, required: ['day'] } });
  const { slack, jane, joe, where, answered, question } = await openAsked(agent, 'Answer');
  const view = await openForm(slack, where, jane);
  const filled = (people: string, extra: string) => ({
    day: { input: 'Friday' },
    people: { input: people },
    isPaid: { input: 'No' },
    size: { input: 'large' },
    extra: { input: extra },
  });
  const errorsOf = async (people: string, extra: string, user = jane) =>
    Object.keys(thingOf((await slack.submit(view, filled(people, extra), user))?.errors));
  expect(await errorsOf('four', '{')).toEqual(['people', 'extra']);
  expect(await errorsOf('1.5', '{}')).toEqual(['people']);
  expect(await errorsOf('4', '{}', joe)).toEqual(['day']);
  expect(await errorsOf('4', '{"a":1}')).toEqual([]);
  await answered('Heard {"day":"Friday","people":4,"isPaid":false,"size":"large","extra":{"a":1}}');
  await slack.until(() =>
    wordsOf(question()).includes('jane: day: Friday, people: 4, isPaid: no, size: large, extra: {"a":1}'),
  );
  expect(buttonsOf(question())).toEqual([]);
});

test.each([false, true])('in words, where posts alone are answered; replies of all: %s', async (threadReplies) => {
  const routing = { rules: [{ channels: ['#general'], engage: ['channel-posts' as const] }] };
  const agent = toAsker({ question: 'Which?', choices: ['red', 'blue'] });
  const { slack } = await openSlackHouse([agent], { settings: { mentions: false, routing, threadReplies } });
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const { ts: threadTs } = await slack.say({ channel, user, text: 'go' });
  const thread = () => slack.thread(channel, threadTs);
  await slack.until(() => thread().some((message) => buttonsOf(message).includes('blue')), 'a question');
  await slack.say({ channel, user, text: 'blue', threadTs });
  await slack.until(() => isAnswered(thread(), 'Heard blue.'), 'an answer');
});

test('several of a few are chosen from a list of a form', async () => {
  const meals = { type: 'array', items: { enum: ['breakfast', 'lunch', 2] }, maxItems: 2, default: ['lunch'] };
  const agent = toAsker({ question: 'What?', schema: { type: 'object', properties: { meals, drinks: meals } } });
  const { slack, jane, where, answered } = await openAsked(agent, 'Answer');
  const view = await openForm(slack, where, jane);
  await slack.submit(view, { meals: { input: ['2', 'breakfast'] } }, jane);
  await answered('Heard {"meals":["breakfast",2],"drinks":["lunch"]}');
});

test('a form that a slow store keeps waiting closes in time, and what was wrong in it is told then', async () => {
  const agent = toAsker({ question: 'When?', schema: { type: 'object', properties: { day: { type: 'integer' } } } });
  const { slack, hall, jane, where, answered } = await openAsked(agent, 'Answer');
  const view = await openForm(slack, where, jane);
  const session = hall.session.bind(hall);
  hall.session = async (...given) => {
    await setTimeout(2_300);
    return session(...given);
  };
  expect(await slack.submit(view, { day: { input: '1.5' } }, jane)).toBeUndefined();
  await slack.until(() => slack.ephemerals.length === 1, 'word of it');
  expect(slack.ephemerals[0]?.text).toMatch(/"day" must be integer/);
  hall.session = session;
  const again = await openForm(slack, where, jane);
  expect(await slack.submit(again, { day: { input: '15' } }, jane)).toBeUndefined();
  await answered('Heard {"day":15}');
});

test('free text is written into a form', async () => {
  const agent = toAsker({ question: 'What is it called?' });
  const { slack, jane, where, answered, question } = await openAsked(agent, 'Answer');
  const view = await openForm(slack, where, jane);
  // It is acknowledged before anything else is done.
  const release = slack.holdNext('chat.postMessage');
  expect(await slack.submit(view, { answer: { input: 'Rex the\nsecond' } }, jane)).toBeUndefined();
  release();
  await answered('Heard Rex the\nsecond.');
  await slack.until(() => wordsOf(question()).includes('jane: Rex the'));
  expect(buttonsOf(question())).toEqual([]);
});

test('more choices than a list takes are written into a form, which knows them', async () => {
  const choices = Array.from({ length: 101 }, (_, index) => `choice ${index}`);
  const agent = toAsker({ question: 'Which?', choices });
  const { slack, jane, where, answered, question } = await openAsked(agent, 'Answer');
  expect(wordsOf(question())).toContain('One of 101.');
  const view = await openForm(slack, where, jane);
  const refused = await slack.submit(view, { answer: { input: 'choice 101' } }, jane);
  expect(Object.keys(thingOf(refused?.errors))).toEqual(['answer']);
  await slack.submit(view, { answer: { input: 'choice 100' } }, jane);
  await answered('Heard choice 100.');
});

test('an admin answers for who asked, whose it stays', async () => {
  const admins: string[] = [];
  const agent = toAsker({ question: 'Which colour?', choices: ['red', 'blue'] });
  const { slack, jane, where, thread, answered } = await openAsked(agent, 'blue', { admins });
  const admin = slack.person('root');
  admins.push(admin);
  await slack.press(where, 'blue', admin);
  await answered('Heard blue.');
  expect(aboutOf(findAnswer(thread(), 'Heard blue.'))?.asker).toBe(jane);
  expect(slack.ephemerals).toEqual([]);
});

test('words in the thread are the answer, of who asked and of nobody else', async () => {
  const agent = toAsker({ question: 'What is it called?' });
  const { slack, channel, jane, joe, threadTs, answered, question } = await openAsked(agent, 'Answer');
  await slack.say({ channel, user: joe, text: 'Rex', threadTs });
  await slack.say({ channel, user: joe, text: `<@${slack.bot}> Rex`, threadTs });
  await slack.until(() => slack.ephemerals.some(({ text }) => text.startsWith('I wait here')));
  expect(buttonsOf(question())).toEqual(['Answer', 'Never mind']);
  await slack.say({ channel, user: jane, text: 'Fido', threadTs });
  await answered('Heard Fido.');
  await slack.until(() => buttonsOf(question()).length === 0);
  expect(wordsOf(question())).toMatch(/^What is it called\?\n.*\njane: Fido$/);
  expect(wordsOf(question())).not.toContain('Or reply');
  // What was not said to us is not talked about.
  expect(slack.ephemerals).toHaveLength(1);
});

test('who never minds ends it, and the thread is free for something else', async () => {
  const agent = toAsker({ question: 'Which colour?', choices: ['red', 'blue'] });
  const { slack, channel, jane, joe, threadTs, where, question } = await openAsked(agent, 'red');
  await slack.press(where, 'Never mind', joe);
  await slack.until(() => slack.ephemerals.length === 1);
  expect(buttonsOf(question())).toContain('Never mind');
  await slack.press(where, 'Never mind', jane);
  await slack.until(() => buttonsOf(question()).length === 0);
  expect(wordsOf(question())).toContain('jane: Never mind');
  await slack.say({ channel, user: joe, text: `<@${slack.bot}> something else`, threadTs });
  await slack.until(() => slack.thread(channel, threadTs).length > 2, 'another message');
});

test.each([
  ['Approve', 1],
  ['Decline', 0],
])('%s', async (button, times) => {
  let done = 0;
  const transfer = defineTool({
    name: 'transfer',
    description: 'Sends money.',
    needsApproval: true,
    inputSchema: { type: 'object' },
    execute: () => `Sent ${++done}.`,
  });
  const model = scriptedModel((request, call) =>
    call === 1 ? { calls: [{ name: 'transfer', input: { to: '*Anna*' } }] } : `Heard ${saidTo(request).at(-1)}.`,
  );
  const agent = defineAgent({ name: 'payer', model, instructions: 'Pay.', tools: [transfer] });
  const { slack, jane, where, answered, question } = await openAsked(agent, button);
  // In words it would be Markdown, and read otherwise than it is run.
  expect(wordsOf(question())).toMatch(
    /^payer wants to call transfer\. May it\?\ntransfer\{\n {2}"to": "\*Anna\*"\n\}\n/,
  );
  await slack.press(where, button, jane);
  await answered('Heard tool:');
  await slack.until(() => wordsOf(question()).endsWith(`jane: ${button}d`));
  expect(done).toBe(times);
});
