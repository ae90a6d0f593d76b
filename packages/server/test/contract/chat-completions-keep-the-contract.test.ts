// The promise: chat completions keep the contract of every headend, in memory and through real sockets.

import { chatApi as api } from './chat-door.ts';
import { keepsTheContract } from './conversations.ts';
import { modelDoor } from './model-door.ts';
import { inMemory, overSockets } from './wires.ts';

keepsTheContract(modelDoor({ name: 'in memory', connect: inMemory, api }));
keepsTheContract(modelDoor({ name: 'over sockets', connect: overSockets, api }));
