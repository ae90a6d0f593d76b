// Beside the talk: a new one, and those from before.

import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { DeleteTalk } from '../chat/delete-talk.tsx';
import type { AgentEntry, Standing } from '../server/documents.ts';
import { isAtWork } from '../server/documents.ts';
import styles from './aside.module.css';
import { type Route, toHash } from './route.ts';
import { dayOf, momentOf } from './time.ts';
import { titleWords } from './title.ts';
import type { Sessions } from './use-sessions.ts';

export interface AsideProps {
  readonly agents: readonly AgentEntry[];
  readonly sessions: Sessions;
  readonly route: Route;
  /** On a small screen: whether it lies over the page. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function Aside({ sessions, route, isOpen, onClose }: AsideProps) {
  const place = useRef<HTMLElement>(null);
  const [leaving, setLeaving] = useState<Standing>();
  const isDeleting = useRef(false);
  useFocusInside(place, isOpen);
  useEffect(() => {
    // What was deleted took the focus along.
    if (!leaving && isDeleting.current && document.activeElement === document.body)
      place.current?.querySelector('a')?.focus();
    isDeleting.current = leaving !== undefined;
  }, [leaving]);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') onClose();
  };
  const onBlur = ({ currentTarget, relatedTarget: to }: FocusEvent) => {
    const isOutside = to !== null && !currentTarget.contains(to) && to.closest('dialog') === null;
    if (isOpen && isOutside) onClose();
  };
  return (
    <>
      {isOpen ? <button type="button" className={styles.veil} aria-label="Close the list" onClick={onClose} /> : null}
      <nav
        ref={place}
        className={styles.aside}
        data-open={isOpen}
        aria-label="Conversations"
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      >
        <a className={styles.fresh} href={toHash({})} onClick={onClose}>
          New conversation
        </a>
        {groupByDay(sessions.list).map(([day, list]) => (
          <section key={day} className={styles.day}>
            <h2 className={styles.heading}>{day}</h2>
            <ul className={styles.list}>
              {list.map((session) => (
                <Entry
                  key={session.id}
                  session={session}
                  isOld={sessions.isAway}
                  isOpen={session.id === route.session}
                  onGo={onClose}
                  onDelete={() => setLeaving(session)}
                />
              ))}
            </ul>
          </section>
        ))}
        {sessions.list.length === 0 ? <p className={styles.none}>What you ask is kept here.</p> : null}
        {sessions.isPartial ? <p className={styles.none}>The store of the server fails: some may be missing.</p> : null}
        {sessions.hasMore ? (
          <button type="button" className={styles.more} onClick={sessions.more}>
            Show older
          </button>
        ) : null}
      </nav>
      {leaving ? (
        <DeleteTalk
          session={leaving}
          isOpen={leaving.id === route.session}
          onDelete={sessions.remove}
          onClose={() => setLeaving(undefined)}
        />
      ) : null}
    </>
  );
}

/** What lies over the page has the focus, and gives it back. */
function useFocusInside(place: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    place.current?.querySelector('a')?.focus();
    return () => {
      const isLost = document.activeElement === document.body || place.current?.contains(document.activeElement);
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [place, isOpen]);
}

interface EntryProps {
  readonly session: Standing;
  /** Whether nobody can say how it stands now. */
  readonly isOld: boolean;
  readonly isOpen: boolean;
  readonly onGo: () => void;
  readonly onDelete: () => void;
}

function Entry({ session, isOld, isOpen, onGo, onDelete }: EntryProps) {
  const href = toHash({ session: session.id });
  return (
    <li className={styles.item}>
      <a className={styles.entry} href={href} onClick={onGo} aria-current={isOpen ? 'page' : undefined}>
        <span className={styles.title}>{titleWords(session.title ?? session.agent)}</span>
        <span className={styles.about}>
          <span className={styles.who}>
            <span className={styles.agent}>{session.agent}</span>
            <span className={styles.state}>
              {session.retryOf ? ' · again' : ''}
              {isOld && isAtWork(session) ? '' : stateOf(session)}
            </span>
          </span>
          <time className={styles.time} dateTime={new Date(session.createdAt).toISOString()}>
            {momentOf(session.createdAt)}
          </time>
        </span>
      </a>
      <button
        type="button"
        className={styles.delete}
        aria-label={`Delete ${titleWords(session.title ?? session.agent)}`}
        onClick={onDelete}
      >
        ×
      </button>
    </li>
  );
}

/** Only what somebody may want to do something about. */
function stateOf(session: Standing): string {
  if (isAtWork(session)) return ' · at work';
  const words: Readonly<Record<string, string>> = {
    needs_user_input: 'asks you',
    needs_client_tools: 'waits for its client',
    failed: 'failed',
    cancelled: 'cancelled',
    interrupted: 'interrupted',
    partial: 'cut short',
  };
  const said = [words[session.status], session.incompleteCount === undefined ? undefined : 'incomplete'];
  const known = said.filter((word) => word !== undefined).join(', ');
  return known === '' ? '' : ` · ${known}`;
}

function groupByDay(list: readonly Standing[]): readonly (readonly [string, readonly Standing[]])[] {
  const days = new Map<string, Standing[]>();
  for (const session of list) {
    const day = dayOf(session.createdAt);
    days.set(day, [...(days.get(day) ?? []), session]);
  }
  return [...days];
}
