// A session and its facts, as whoever writes them down is told them.

import type { Fact, SessionHead } from '../../src/index.ts';

export const head: SessionHead = {
  id: 'a',
  agent: 'echo',
  owner: null,
  headend: 'rest',
  isDetached: false,
  status: 'running',
  createdAt: 1,
  facts: 0,
  resumptions: 0,
};

export const fact = (seq: number) =>
  ({ kind: 'fact', type: 'turn-end', seq, trace: { selfId: 'b', originId: 'a' } }) as Fact;
