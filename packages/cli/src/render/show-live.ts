// Shows a run while it happens: a panel on a terminal, plain lines elsewhere; quietly only what failed on the way.

import { HeldLines } from './held-lines.ts';
import type { Live, LiveOptions } from './live.ts';
import { LongWaits } from './long-waits.ts';
import { PlainLines } from './plain-lines.ts';

export async function showLive(options: LiveOptions): Promise<Live> {
  const { screen, detail = 'usual' } = options;
  if (!screen.isTTY || detail === 'errors') return showLines(options);
  return (await import('./live-panel.ts')).showPanel(options);
}

async function showLines({ screen, detail = 'usual', answerTo, waitsFor }: LiveOptions): Promise<Live> {
  const answer = answerTo && new (await import('./answer-stream.ts')).AnswerStream(answerTo);
  const lines = new HeldLines((line) => {
    answer?.breakLine();
    screen.write(`${line}\n`);
  });
  const plain = new PlainLines(detail);
  const waits = detail === 'errors' ? undefined : new LongWaits({ say: (line) => lines.say(line), waitsFor });
  return {
    onEvent(event) {
      answer?.onEvent(event);
      waits?.onEvent(event);
      const line = plain.toLine(event);
      if (line !== undefined) lines.say(line);
    },
    aside() {
      answer?.breakLine();
      return lines.hold();
    },
    say: (line) => lines.say(line),
    isRead: (text) => answer?.has(text) === true,
    end() {
      waits?.end();
      answer?.end();
    },
  };
}
