// A run on a terminal: the panel, the answer below it while it comes, and lines that stay above.

import { AnswerStream } from './answer-stream.ts';
import type { Live, LiveOptions } from './live.ts';
import { Panel } from './panel.ts';
import { toPlainLine } from './plain-lines.ts';

export function showPanel({ screen, detail, answerTo, ...style }: LiveOptions): Live {
  const panel = new Panel(screen, style);
  let isOver = false;
  let asides = 0;
  let isLeft = false;
  // Whoever writes on the screen meanwhile is not drawn over.
  const wake = () => {
    if (asides === 0 && !isLeft && !isOver) panel.wake();
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
  const say = (line: string) => {
    answer?.breakLine();
    panel.say(line);
  };
  wake();
  return {
    onEvent(event) {
      panel.onEvent(event);
      answer?.onEvent(event);
      const line = detail === 'all' ? toPlainLine(event, 'all') : undefined;
      if (line !== undefined) say(line);
    },
    aside() {
      asides++;
      panel.sleep();
      return () => {
        asides--;
        wake();
      };
    },
    say,
    isRead: (text) => answer?.has(text) === true,
    end() {
      if (isOver) return;
      isOver = true;
      answer?.end();
      panel.end();
    },
  };
}
