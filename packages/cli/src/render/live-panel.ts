// A run on a terminal: the panel, the answer below it while it comes, and lines that stay above.

import { AnswerStream } from './answer-stream.ts';
import { HeldLines } from './held-lines.ts';
import type { Live, LiveOptions } from './live.ts';
import { Panel } from './panel.ts';
import { PlainLines } from './plain-lines.ts';

export function showPanel({ screen, detail, answerTo, ...style }: LiveOptions): Live {
  const panel = new Panel(screen, style);
  const plain = new PlainLines(detail ?? 'usual');
  let isOver = false;
  let isLeft = false;
  const lines = new HeldLines((line) => {
    answer?.breakLine();
    panel.say(line);
  });
  // Whoever writes on the screen meanwhile is not drawn over.
  const wake = () => {
    if (!lines.isHeld && !isLeft && !isOver) panel.wake();
  };
  const stage = {
    leave() {
      isLeft = true;
      panel.leave();
    },
    wake() {
      isLeft = false;
      wake();
    },
  };
  const answer = answerTo ? new AnswerStream(answerTo, stage) : undefined;
  wake();
  return {
    onEvent(event) {
      panel.onEvent(event);
      answer?.onEvent(event);
      // Below words that stopped coming nothing else says why.
      const isUnseen = event.type === 'model-wait' && answer?.isOpen === true;
      const line = detail === 'all' || isUnseen ? plain.toLine(event) : undefined;
      if (line !== undefined) lines.say(line);
    },
    aside() {
      answer?.breakLine();
      panel.sleep();
      const release = lines.hold();
      return () => {
        release();
        wake();
      };
    },
    say: (line) => lines.say(line),
    isRead: (text) => answer?.has(text) === true,
    end() {
      if (isOver) return;
      isOver = true;
      answer?.end();
      panel.end();
    },
  };
}
