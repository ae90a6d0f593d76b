// The promise: agents as tools keep the contract of every headend over a WebSocket, with every client and in both revisions.

import { overWebSocket } from '../support/mcp-routes.ts';
import { toolsKeepTheContract } from './tools-keep-the-contract.ts';

toolsKeepTheContract(overWebSocket);
