// `npm run picture`: the panel as it looks, a real run in a real terminal; and how agents work together, drawn.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import buildWhenStale from './fresh-build.ts';
import { toSvg as draw } from './picture/diagram.ts';
import { diagrams } from './picture/diagrams.ts';
import { photograph } from './picture/scene.ts';
import { toSvg } from './picture/to-svg.ts';

const repository = join(import.meta.dirname, '..');

for (const [file, diagram] of Object.entries(diagrams)) writeFileSync(join(repository, file), draw(diagram));
// What is photographed is what the sources say.
buildWhenStale();
writeFileSync(join(repository, 'docs/panel.svg'), toSvg(await photograph()));
