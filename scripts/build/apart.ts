// What the command requires in the middle of a function gets files of its own: a bundler would read them with the rest.

import type { Plugin } from 'rolldown';

/** As core requires them; the name is that of the file. */
const names: Readonly<Record<string, string>> = {
  ajv: 'ajv',
  'ajv/dist/2019.js': 'ajv-2019',
  'ajv/dist/2020.js': 'ajv-2020',
  'ajv-formats/dist/formats.js': 'ajv-formats',
};

const plugin: Plugin = {
  name: 'apart',
  resolveId: {
    filter: { id: /^ajv/ },
    handler: (name) => (names[name] === undefined ? null : { id: `./${names[name]}.cjs`, external: true }),
  },
};

export const apart = {
  /** Leaves them out. */
  plugin,
  /** Builds them. */
  input: Object.fromEntries(Object.entries(names).map(([name, file]) => [file, name])),
};
