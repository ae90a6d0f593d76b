// Writes the generated parts of the documents anew. `npm run docs`
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillPage, generated } from './generated-docs.ts';

for (const page of Object.keys(generated)) {
  const path = join(import.meta.dirname, '..', page);
  const text = readFileSync(path, 'utf8');
  const filled = fillPage(page, text);
  if (filled !== text) writeFileSync(path, filled);
  console.log(`${page} ${filled === text ? 'was up to date' : 'is written anew'}`);
}
