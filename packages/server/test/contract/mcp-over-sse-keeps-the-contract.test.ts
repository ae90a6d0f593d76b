// The promise: agents as tools keep the contract of every headend over a stream of events with posts beside it, with every client and in both revisions.

import { overSse } from '../support/mcp-routes.ts';
import { keepsTheContract } from './conversations.ts';
import { mcpDoors } from './mcp-door.ts';

for (const door of mcpDoors(overSse)) keepsTheContract(door);
