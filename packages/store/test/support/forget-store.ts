// Writes, waits for nothing, and comes to its end: `forget-store.ts <file>`.

import { openStore } from '../../src/index.ts';
import { factOf, headOf } from './facts.ts';

const [path = ''] = process.argv.slice(2);
const store = await openStore(path);
void store.put(headOf('a'));
for (let seq = 1; seq <= 500; seq++) void store.append('a', [factOf(seq)]);
process.stdout.write(`${JSON.stringify({ given: 500 })}\n`);
