// A dozen clients at once, until the server is gone under them.

import type { Chance } from '../chance.ts';
import { Broken, type Told, type ToldSession } from './told.ts';
import { answerQuestion, goOnWith, type Visited, visitAndFollow, visitAndWait } from './visits.ts';

const clients = 12;

export interface Crowd {
  /** From now on a broken connection is no surprise. */
  leave(): void;
  /** Settles when every client has noticed. Throws what none of them should have seen. */
  readonly gone: Promise<void>;
}

export function crowd(visited: Visited): Crowd {
  let isLeaving = false;
  const visit = async () => {
    try {
      while (!isLeaving) await visitOnce(visited);
    } catch (error) {
      if (error instanceof Broken || !isLeaving) throw error;
    }
  };
  const visits = Promise.allSettled(Array.from({ length: clients }, visit));
  const gone = visits.then((all) => {
    for (const one of all) if (one.status === 'rejected') throw one.reason;
  });
  // They may all have left before somebody asks.
  gone.catch(() => {});
  return {
    leave() {
      isLeaving = true;
    },
    gone,
  };
}

async function visitOnce(visited: Visited): Promise<void> {
  const { chance, told } = visited;
  const dice = chance.next();
  if (dice < 0.35) return visitAndFollow(visited);
  if (dice < 0.75) return visitAndWait(visited);
  const isOpen = dice < 0.82;
  const free = pickFree(told, chance, isOpen ? 'needs_user_input' : 'completed');
  if (!free) return visitAndWait(visited);
  return isOpen ? answerQuestion(visited, free) : goOnWith(visited, free);
}

/** Any that nobody works with and that stands so. */
export function pickFree(told: Told, chance: Chance, status: string): ToldSession | undefined {
  return chance.pick(told.all.filter(({ isTaken, standing }) => !isTaken && standing?.status === status));
}
