// `npm run picture`: the panel as it looks, for the README. A real run in a real terminal, on a model that follows a script.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import buildWhenStale from './fresh-build.ts';
import { photograph } from './picture/scene.ts';
import { toSvg } from './picture/to-svg.ts';

// What is photographed is what the sources say.
buildWhenStale();
writeFileSync(join(import.meta.dirname, '../docs/panel.svg'), toSvg(await photograph()));
