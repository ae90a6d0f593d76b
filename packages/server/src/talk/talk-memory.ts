// What is remembered between two requests of one conversation: calls that a client runs, and questions. Bounded, and for a while.

import type { Hall } from '../hall.ts';

export class TalkMemory {
  constructor(_hall: Hall, _headend: string) {}
}
