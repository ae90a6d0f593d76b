// The promise: REST keeps the contract of every headend through real sockets too.

import { keepsTheContract } from './conversations.ts';
import { restDoor } from './rest-door.ts';
import { overSockets } from './wires.ts';

keepsTheContract(restDoor({ name: 'over sockets', connect: overSockets }));
