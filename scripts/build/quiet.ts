// What other packages write to the console by themselves is left out: a terminal belongs to the command, and their words hold
// what servers said, as it came.

import type { Plugin } from 'rolldown';

export const quiet: Plugin = {
  name: 'quiet',
  transform: {
    filter: { id: /\/node_modules\/@modelcontextprotocol\// },
    handler: (code) => code.replaceAll('console.warn(', 'void ('),
  },
};
