// Node's own modules in the bundle: each is asked for, not imported. Whoever imports one gets all of its names, and some of
// them load a great deal: fetch and WebSocket behind node:http, streams and promises behind node:fs.

import type { Plugin } from 'rolldown';

const imported = /^import\s*\{([^}]*)\}\s*from\s*'(node:[\w/]+)';/gm;
const importedLater = /\bawait import\('(node:[\w/]+)'\)/g;

/** Rewrites the imports of our sources; what other packages import stays as it is. */
export const builtInsWhenAsked: Plugin = {
  name: 'built-ins-when-asked',
  transform: {
    filter: { id: /\/packages\/\w+\/src\// },
    handler: (code) => ({
      code: code
        .replace(imported, (_, names: string, name: string) => `const {${toPattern(names)}} = ${ask(name)};`)
        .replace(importedLater, (_, name: string) => ask(name)),
      map: null,
    }),
  },
};

function ask(name: string): string {
  return `process.getBuiltinModule('${name}')`;
}

/** `type Dirent, stat as look` is `stat: look`. */
function toPattern(names: string): string {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.replace(/\s+as\s+/, ': '))
    .join(', ');
}
