// A round of a talk as it is kept: of its session memory has all, whatever becomes of the store.

import type { KeptRound } from '@ai-agent/core';
import type { KeptSessions } from '../../kept-sessions.ts';
import { KeptRun } from '../run/kept-run.ts';
import type { TalkStore } from './talk-store.ts';

export class TalkRound extends KeptRun {
  constructor(store: TalkStore, sessions: KeptSessions | undefined, round: KeptRound) {
    super(
      {
        ports: { pauses: store.pauses },
        inTime: async (work) => void (await (sessions ? sessions.inTime(work) : work)),
        unkept: undefined,
        choice: sessions?.choice ?? { where: '', isUsual: true, retention: {} },
        place: sessions?.place ?? '',
      },
      round,
    );
  }

  override resumeWith(): string {
    return 'the next message is the answer.';
  }
}
