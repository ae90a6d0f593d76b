// A server of the newest revision, which serves older clients as well; with `modern` it does not.

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './good-server.ts';

serveStdio(() => createServer(), process.argv.includes('modern') ? { legacy: 'reject' } : {});
