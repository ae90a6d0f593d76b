// The promise: responses keep the contract of every headend, in memory and through real sockets, whoever keeps the conversation.

import { keepsTheContract } from './conversations.ts';
import { modelDoor } from './model-door.ts';
import { keptResponsesApi, responsesApi } from './responses-door.ts';
import { inMemory, overSockets } from './wires.ts';

keepsTheContract(modelDoor({ name: 'in memory, kept by the client', connect: inMemory, api: responsesApi }));
keepsTheContract(modelDoor({ name: 'in memory, kept by the server', connect: inMemory, api: keptResponsesApi }));
keepsTheContract(modelDoor({ name: 'over sockets', connect: overSockets, api: responsesApi }));
