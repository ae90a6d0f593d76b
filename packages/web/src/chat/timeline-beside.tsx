// The timeline at the side of a talk, or in its place where there is no room for both. It is loaded when it is wanted.

import { type ReactNode, Suspense, useState } from 'react';
import { Boundary } from '../app/boundary.tsx';
import { loadLazily } from '../app/load-lazily.ts';
import { goFrom } from '../app/route.ts';
import type { Api } from '../server/api.ts';
import type { Standing } from '../server/documents.ts';
import type { Picture, SessionView } from '../session/session-view.ts';
import styles from './timeline-beside.module.css';

const TimelinePanel = loadLazily(() => import('../timeline/timeline-panel.tsx'));

export interface TimelineBesideProps {
  readonly api: Api;
  readonly view: SessionView;
  readonly picture: Picture;
  readonly onClose: () => void;
  readonly onChanged: (standing: Standing) => void;
}

export function TimelineBeside({ api, view, picture, onClose, onChanged }: TimelineBesideProps) {
  return (
    <section className={styles.beside} aria-label="Timeline">
      <Boundary name="The timeline" className={styles.broken}>
        <Suspense fallback={<p className={styles.loading}>Loading…</p>}>
          <TimelinePanel
            api={api}
            view={view}
            picture={picture}
            onClose={onClose}
            onOpenSession={({ id }) => goFrom(view.id, { session: id })}
            onChanged={onChanged}
          />
        </Suspense>
      </Boundary>
    </section>
  );
}

export interface TimelineChoice {
  readonly isOpen: boolean;
  readonly close: () => void;
  /** Two views on a small screen, a button on a large one. */
  readonly toggle: ReactNode;
}

/** Whoever had it open for one talk wants it for the next one. */
let wasOpen = false;

export function useTimeline(): TimelineChoice {
  const [isOpen, setOpen] = useState(wasOpen);
  const choose = (next: boolean) => {
    wasOpen = next;
    setOpen(next);
  };
  const toggle = (
    <div className={styles.views}>
      <button type="button" className={styles.chat} aria-pressed={!isOpen} onClick={() => choose(false)}>
        Chat
      </button>
      <button type="button" className={styles.toggle} aria-pressed={isOpen} onClick={() => choose(!isOpen)}>
        Timeline
      </button>
    </div>
  );
  return { isOpen, close: () => choose(false), toggle };
}
