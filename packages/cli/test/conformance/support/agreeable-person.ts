// Somebody at a terminal who agrees to whatever is offered, with what stands there already.

import type { OpenTerminal } from '../../support/terminal.ts';

export async function agree(terminal: OpenTerminal): Promise<number> {
  let answered = '';
  const looking = setInterval(() => {
    const asked = terminal.history().join('\n').trimEnd();
    if (asked === answered || !/: ?$/.test(asked)) return;
    answered = asked;
    terminal.type('\r');
  }, 50);
  try {
    return await terminal.ended;
  } finally {
    clearInterval(looking);
  }
}
