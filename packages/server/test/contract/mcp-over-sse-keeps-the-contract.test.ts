// The promise: agents as tools keep the contract of every headend over a stream of events with posts beside it, with every client and in both revisions.

import { overSse } from '../support/mcp-routes.ts';
import { toolsKeepTheContract } from './tools-keep-the-contract.ts';

toolsKeepTheContract(overSse);
