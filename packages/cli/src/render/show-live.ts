// Shows a run while it happens: a panel on a terminal, plain lines elsewhere; quietly only what failed on the way.

import type { Live, LiveOptions } from './live.ts';
import { type Detail, toPlainLine } from './plain-lines.ts';
import type { Screen } from './screen.ts';

export async function showLive(options: LiveOptions): Promise<Live> {
  const { screen, detail = 'usual' } = options;
  if (!screen.isTTY || detail === 'errors') return toPlain(screen, detail);
  return (await import('./live-panel.ts')).showPanel(options);
}

function toPlain(screen: Screen, detail: Detail): Live {
  const say = (line: string) => screen.write(`${line}\n`);
  return {
    onEvent(event) {
      const line = toPlainLine(event, detail);
      if (line !== undefined) say(line);
    },
    aside: () => () => {},
    say,
    isRead: () => false,
    end: () => {},
  };
}
