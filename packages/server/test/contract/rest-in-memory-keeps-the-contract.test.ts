// The promise: REST keeps the contract of every headend, as bare answers and as whole outcomes.

import { keepsTheContract } from './conversations.ts';
import { documentType, restDoor } from './rest-door.ts';
import { inMemory } from './wires.ts';

keepsTheContract(restDoor({ name: 'bare answers', connect: inMemory }));
keepsTheContract(restDoor({ name: 'whole outcomes', connect: inMemory, accept: documentType }));
