// The promise: a terminal may end or break while a question stands there, before any signal comes: the question stays open where it can.

import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import { TalkKeys } from '../src/commands/chat/talk-keys.ts';
import { Person } from '../src/commands/run/ask-person.ts';
import type { Keyboard } from '../src/keyboard.ts';

const question = {
  type: 'question',
  text: 'Which year?',
  to: 'person',
  handle: 'session/turn.1.tool.1',
  agentName: 'alone',
  sessionId: 'session',
} as const;

/** What the kernel gives to whoever reads in the moment in which a window is closed. */
const broken = () => Object.assign(new Error('read EIO'), { code: 'EIO' });

const ends = {
  ends: (keys: ReadStream) => keys.push(null),
  breaks: (keys: ReadStream) => keys.destroy(broken()),
} as const;

function openedKeyboard(): Keyboard {
  const keys = new PassThrough() as unknown as ReadStream;
  keys.setRawMode = () => keys;
  keys.on('error', () => {});
  const screen = new PassThrough().resume() as unknown as WriteStream;
  return { keys, screen, interrupt: () => {}, release: () => {} };
}

/** Settles when the question stands there. */
async function asked(staysOpen: boolean) {
  const keyboard = openedKeyboard();
  const person = new Person({
    openKeyboard: async () => keyboard,
    aside: () => () => {},
    answer: () => {},
    staysOpen,
  });
  const shown = new Promise<void>((resolve) => {
    keyboard.screen.on('data', (text) => String(text).includes('> ') && resolve());
  });
  const answered = Promise.resolve(person.onQuestion(question)).catch((error: unknown) => error);
  await shown;
  return { ...keyboard, person, answered };
}

test.each(Object.entries(ends))('one that %s', async (_, end) => {
  const { keys, person, answered } = await asked(true);
  end(keys);
  expect(await answered).toMatchObject({ code: 'question-left' });
  // The signal that comes after it finds it so.
  expect(person.leaveOpen()).toBe(true);
});

test.each(Object.entries(ends))('one that %s where nothing is kept: nobody has answered', async (_, end) => {
  const { keys, answered } = await asked(false);
  end(keys);
  expect(await answered).toMatchObject({ code: 'tool-failed', message: 'the person gave no answer.' });
});

test.each(Object.entries(ends))('one that %s is the end of a talk', async (_, end) => {
  const keyboard = openedKeyboard();
  const keys = await TalkKeys.open(async () => keyboard);
  const left = new Promise<void>((resolve) => keys.listen(() => {}, resolve));
  end(keyboard.keys);
  await left;
  keys.close();
});
