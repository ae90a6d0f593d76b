// The promise: agents as tools keep the contract of every headend over HTTP, with every client and in both revisions.

import { overHttp } from '../support/mcp-routes.ts';
import { keepsTheContract } from './conversations.ts';
import { mcpDoors } from './mcp-door.ts';

for (const door of mcpDoors(overHttp)) keepsTheContract(door);
