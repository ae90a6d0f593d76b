// A client in a process of its own, to be killed: connects as its first argument says, and calls the team with each word that follows the
// address, all at once.

import { kinds } from './load-clients.ts';

const [kind = '', url = '', ...words] = process.argv.slice(2);
process.once('disconnect', () => process.exit());
const client = await kinds[kind]?.(url);
await Promise.all(words.map((word) => client?.call(word)));
