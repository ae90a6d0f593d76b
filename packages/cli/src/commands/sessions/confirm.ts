// Asks whoever sits at the terminal whether they mean it.

import type { Keyboard } from '../../keyboard.ts';

/** Only yes is yes. Undefined after Ctrl-C. */
export async function confirm(text: string, openKeyboard: () => Promise<Keyboard>): Promise<boolean | undefined> {
  const keyboard = await openKeyboard();
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: keyboard.keys, output: keyboard.screen, terminal: true, historySize: 0 });
  const closing = new AbortController();
  for (const end of ['SIGINT', 'close'] as const) lines.on(end, () => closing.abort(end));
  try {
    const answer = await lines.question(`${text} [yes/no] `, { signal: closing.signal });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    keyboard.screen.write('\n');
    return closing.signal.reason === 'SIGINT' ? undefined : false;
  } finally {
    lines.close();
    keyboard.release();
  }
}
