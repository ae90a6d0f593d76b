// One fact as a whole: what the timeline was told has long texts cut.

import type { Fact } from '@ai-agent/core';
import { useEffect, useState } from 'react';
import type { Api } from '../../server/api.ts';
import type { SessionView } from '../../session/session-view.ts';

export interface Wanted<T extends Fact['type']> {
  readonly session: string | undefined;
  readonly op: string;
  readonly type: T;
}

export interface Source {
  readonly api: Api;
  readonly view: SessionView;
}

/** Nothing until it was told and has come; heads of texts have to do until then. */
export function useFact<T extends Fact['type']>({ api, view }: Source, wanted: Wanted<T>) {
  const { session, op, type } = wanted;
  const number = session === undefined ? undefined : view.numberOf(session, op, type);
  const [fact, setFact] = useState<Extract<Fact, { type: T }>>();
  useEffect(() => {
    setFact(undefined);
    if (number === undefined) return;
    let isWanted = true;
    api.fact(view.id, number).then(
      (found) => isWanted && setFact(found as Extract<Fact, { type: T }>),
      // Its head is shown already, and says that it is one.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [api, view, number]);
  return fact;
}
