// What Bolt brings for ways in that are not ours, a web server and logins of other workspaces, is left out: its own parts load without them.

import type { Plugin } from 'rolldown';

const names: readonly string[] = ['express', 'raw-body', 'jsonwebtoken'];
const nothing = '\0nothing';

export const unused: Plugin = {
  name: 'unused',
  resolveId: {
    filter: { id: /^[a-z-]+$/ },
    handler: (name, importer) =>
      names.includes(name) && importer?.includes('/node_modules/@slack/') ? { id: nothing } : null,
  },
  load: {
    filter: { id: new RegExp(`^${nothing}$`) },
    handler: () => 'module.exports = {};',
  },
};
