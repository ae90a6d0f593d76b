// Stops one sub-agent alone, from wherever it is shown: it wraps up, and its caller goes on with what it has.

import { useCallback, useState } from 'react';
import type { Api } from '../server/api.ts';
import type { Failure, Standing } from '../server/documents.ts';
import { toFailure } from '../server/to-failure.ts';
import type { SessionView } from '../session/session-view.ts';
import type { Row } from './rows.ts';

export interface Stopping {
  /** Those that were told to. */
  readonly told: ReadonlySet<string>;
  /** Why the last of them was not. */
  readonly failure: Failure | undefined;
  readonly stop: (session: string) => void;
}

export function useStopping(api: Api, view: SessionView, onChanged: (standing: Standing) => void): Stopping {
  const [told, setTold] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<Failure>();
  const stop = useCallback(
    async (session: string) => {
      setFailure(undefined);
      setTold((before) => new Set([...before, session]));
      try {
        onChanged(await api.stop(view.id, session));
      } catch (error) {
        setTold((before) => new Set([...before].filter((one) => one !== session)));
        setFailure(toFailure(error));
      }
    },
    [api, view, onChanged],
  );
  return { told, failure, stop };
}

/** The session of a sub-agent that is at work. */
export function stoppableIn({ kind, node, standing }: Row): string | undefined {
  const { selfId, parentId = null } = node.session?.trace ?? {};
  return kind === 'session' && parentId !== null && standing.status === 'running' ? selfId : undefined;
}
