// The script of the page, put together: what a browser runs, in the order of its parts.

import { agents } from './agents.ts';
import { elements } from './elements.ts';
import { examples } from './examples.ts';
import { fields } from './fields.ts';
import { open } from './open.ts';
import { server } from './server.ts';
import { stream } from './stream.ts';
import { tryIt } from './try-it.ts';

export const script = `'use strict';
(() => {
${[elements, examples, fields, stream, tryIt, agents, server, open].join('\n')}
})();
`;
