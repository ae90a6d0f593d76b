// The promise: agents as tools keep the contract of every headend over a WebSocket, with every client and in both revisions.

import { overWebSocket } from '../support/mcp-routes.ts';
import { keepsTheContract } from './conversations.ts';
import { mcpDoors } from './mcp-door.ts';

for (const door of mcpDoors(overWebSocket)) keepsTheContract(door);
