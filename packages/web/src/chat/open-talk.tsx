// A talk that is there: what was said, how it goes on, and its timeline beside it.

import { AssistantRuntimeProvider } from '@assistant-ui/react';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { Boundary } from '../app/boundary.tsx';
import { Problem } from '../app/problem.tsx';
import { titleWords } from '../app/title.ts';
import type { Api } from '../server/api.ts';
import { type AgentEntry, isAtWork } from '../server/documents.ts';
import { type Picture, SessionView } from '../session/session-view.ts';
import { Announcer } from './announcer.tsx';
import { wrapsUp } from './answer.ts';
import { Controls } from './controls.tsx';
import { type Begun, Entries, type Sent } from './entries.ts';
import styles from './open-talk.module.css';
import { Reply } from './reply.tsx';
import { SessionContext } from './session-context.ts';
import { takesFiles } from './takes-files.ts';
import { TalkHeader } from './talk-header.tsx';
import { Thread } from './thread.tsx';
import { TimelineBeside, useTimeline } from './timeline-beside.tsx';
import { useDocumentTitle } from './use-document-title.ts';
import { useSending } from './use-sending.ts';
import { useTalkRuntime } from './use-talk-runtime.ts';

export interface OpenTalkProps {
  readonly api: Api;
  readonly agents: readonly AgentEntry[];
  readonly id: string;
  readonly begun?: Begun | undefined;
  readonly onAside: () => void;
  readonly onChange: () => void;
}

export function OpenTalk({ api, agents, id, begun, onAside, onChange }: OpenTalkProps) {
  const view = useMemo(() => new SessionView(api, id, begun?.standing), [api, id, begun]);
  const picture = useSyncExternalStore(view.subscribe, view.picture);
  const { standing } = picture;
  const sending = useSending({ api, view, picture, sent: begun?.sent });
  const { typed } = sending;
  const timeline = useTimeline();
  const agent = agents.find(({ name }) => name === standing?.agent);
  const files = useMemo(() => takesFiles(agent?.attachments), [agent]);
  const entries = useMemo(() => new Entries(), []);
  const isBusy = standing !== undefined && isAtWork(standing);
  const status = standing?.status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever keeps the list is told of every change of these
  useEffect(onChange, [status, standing?.title, standing?.rounds, picture.connection, picture.isAway]);
  const title = titleOf(picture, sending.sent);
  useDocumentTitle(title);
  // What cannot be read is said once.
  const isTimeline = timeline.isOpen && !picture.failure;
  const runtime = useTalkRuntime({
    entries: entries.of(picture, sending.sent),
    isAtWork: isBusy || sending.isBusy,
    attachments: files,
    draft: id,
    onSend: sending.send,
  });
  return (
    <SessionContext value={useMemo(() => ({ api, view, limits: typed }), [api, view, typed])}>
      <main className={styles.talk} data-view={isTimeline ? 'timeline' : 'chat'} data-connection={picture.connection}>
        <TalkHeader title={title ?? ''} about={<About picture={picture} />} onAside={onAside}>
          {standing ? (
            <>
              <Controls
                key={standing.rounds}
                api={api}
                view={view}
                standing={standing}
                isWrappingUp={wrapsUp(picture.rounds.at(-1)) === 'stop'}
                allowed={agent?.budget}
                onChanged={view.changed}
                onFailed={sending.setFailure}
                onLost={sending.focus}
              />
              {timeline.toggle}
            </>
          ) : null}
        </TalkHeader>
        <Announcer picture={picture} />
        <div className={styles.body}>
          <div className={styles.chat}>
            {picture.failure ? (
              <div className={styles.problem}>
                <Problem failure={picture.failure} />
              </div>
            ) : (
              <Boundary name="The talk" className={styles.problem}>
                <AssistantRuntimeProvider runtime={runtime}>
                  <Thread>
                    <Reply agent={agent} picture={picture} sending={sending} />
                  </Thread>
                </AssistantRuntimeProvider>
              </Boundary>
            )}
          </div>
          {isTimeline ? (
            <TimelineBeside api={api} view={view} picture={picture} onClose={timeline.close} onChanged={view.changed} />
          ) : null}
        </div>
      </main>
    </SessionContext>
  );
}

/** Until the server has one: what it was asked first. */
function titleOf({ standing, rounds, failure }: Picture, sent: Sent | undefined): string | undefined {
  if (failure && !standing) return failure.code === 'session-unknown' ? 'No such conversation' : 'Conversation';
  const part = rounds[0]?.asked?.content.find(({ type }) => type === 'text');
  const asked = part?.type === 'text' ? part.text : rounds.length === 0 ? sent?.text : undefined;
  const title = standing?.title ?? asked?.trim().split('\n')[0]?.slice(0, 80) ?? standing?.agent;
  return title === undefined ? undefined : titleWords(title);
}

function About({ picture: { standing, connection, isAway, failure } }: { readonly picture: Picture }) {
  if (connection === 'lost') return <span className={styles.lost}>Connection lost, trying again</span>;
  if (isAway) return 'The server does not answer';
  if (!standing) return failure ? null : 'Loading';
  // One that has just ended is still being written down.
  const isAfter = connection === 'over' || isAtWork(standing);
  return standing.isKept === false && isAfter
    ? `${standing.agent} · the store of the server fails: it may be lost`
    : standing.agent;
}
