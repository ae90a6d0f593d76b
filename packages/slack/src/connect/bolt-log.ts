// What Bolt and its clients say, for whoever runs the server: nothing of it is news unless details are wanted.

import { type Logger, LogLevel } from '@slack/bolt';
import type { SlackLog } from '../log.ts';

export function toBoltLog(log: SlackLog): Logger {
  const tell = (...words: readonly unknown[]) => log.detail(`Bolt: ${words.map(String).join(' ')}`);
  return {
    debug() {},
    info() {},
    warn: tell,
    error: tell,
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}
