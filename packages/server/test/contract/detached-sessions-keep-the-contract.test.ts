// The promise: sessions that belong to no connection keep the contract of every headend, in memory and through real sockets.

import { keepsTheContract } from './conversations.ts';
import { detachedDoor } from './detached-door.ts';
import { inMemory, overSockets } from './wires.ts';

keepsTheContract(detachedDoor({ name: 'in memory', connect: inMemory }));
keepsTheContract(detachedDoor({ name: 'over sockets', connect: overSockets }));
