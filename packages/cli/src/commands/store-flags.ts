// Where sessions are kept, as flags of every command that keeps or reads some.

import type { Flag } from './flag.ts';

export const storeFlags: readonly Flag[] = [
  {
    names: ['--store'],
    value: 'place',
    about:
      'Where sessions are kept: a file, or a postgres:// address; .ai-agent/sessions.sqlite in your home unless said',
  },
  { names: ['--no-store'], about: 'Keep nothing' },
];
