// Somebody at a terminal who agrees to whatever is offered, with what stands there already.

import type { OpenTerminal } from '../../support/terminal.ts';

const prompt = /^(>|\d+-\d+:|\[yes\/no\]|A number:) *$(?![\s\S])/m;

export async function agree(terminal: OpenTerminal): Promise<number> {
  let answered = '';
  const looking = setInterval(() => {
    const asked = terminal.history().join('\n');
    if (asked === answered || !prompt.test(asked)) return;
    answered = asked;
    terminal.type('\r');
  }, 50);
  try {
    return await terminal.ended;
  } finally {
    clearInterval(looking);
  }
}
