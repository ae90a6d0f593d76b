// The promise: Ctrl-C between the sending of a message and the beginning of its answer is for that answer; at the prompt it is for the prompt.

import { expect, test } from 'vitest';
import { TalkSignals } from '../src/commands/chat/talk-signals.ts';
import type { Heard } from '../src/interrupts.ts';

function talking(isPrompting: () => boolean) {
  let hear: (heard: Heard) => void = () => {};
  const asked: string[] = [];
  const atRest = {
    interrupt: () => {
      if (isPrompting()) asked.push('prompt');
      return isPrompting();
    },
    leave: () => {},
  };
  const onSignal = (listener: typeof hear) => {
    hear = listener;
    return () => {};
  };
  const signals = new TalkSignals({ onSignal }, atRest);
  const round = { stop: () => asked.push('stop'), cancel: () => asked.push('cancel'), abandon: () => {} };
  return { asked, signals, interrupt: () => hear('SIGINT'), begin: () => signals.onInterrupt(round) };
}

test('it stops the answer as soon as that has begun; a second one cancels it', () => {
  const { asked, signals, interrupt, begin } = talking(() => false);
  signals.expectRound();
  interrupt();
  expect(asked).toEqual([]);
  begin();
  expect(asked).toEqual(['stop']);
  interrupt();
  expect(asked).toEqual(['stop', 'cancel']);
});

test('what was for the prompt, or for something before, is not for the answer', () => {
  let isPrompting = true;
  const { asked, signals, interrupt, begin } = talking(() => isPrompting);
  interrupt();
  isPrompting = false;
  interrupt();
  signals.expectRound();
  begin();
  expect(asked).toEqual(['prompt']);
});
