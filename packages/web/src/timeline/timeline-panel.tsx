// The timeline of a session: where its time and money went, as a tree over time, while it runs and afterwards.

import { type KeyboardEvent, useCallback, useMemo, useState } from 'react';
import type { Api } from '../server/api.ts';
import type { Standing } from '../server/documents.ts';
import type { Picture, SessionView } from '../session/session-view.ts';
import { useNow } from '../session/use-now.ts';
import { CloseButton } from './close-button.tsx';
import { DetailsPane } from './details/details-pane.tsx';
import { type Expansion, untouched, withAll, withOpen } from './expansion.ts';
import { Legend } from './legend.tsx';
import { PanelNotice } from './panel-notice.tsx';
import { type Row, toRows } from './rows.ts';
import styles from './timeline-panel.module.css';
import { TotalsChart } from './totals-chart.tsx';
import { TreeGrid } from './tree-grid.tsx';
import { usePlace } from './use-place.ts';
import { useSnapshot } from './use-snapshot.ts';
import { useStopping } from './use-stopping.ts';

export interface TimelinePanelProps {
  readonly api: Api;
  readonly view: SessionView;
  readonly picture: Picture;
  readonly onClose: () => void;
  /** A new session was started from this one. */
  readonly onOpenSession: (standing: Standing) => void;
  /** Something was done to this one. */
  readonly onChanged: (standing: Standing) => void;
}

export function TimelinePanel({ api, view, picture, onClose, onOpenSession, onChanged }: TimelinePanelProps) {
  const snapshot = useSnapshot(view, picture);
  const [expansion, setExpansion] = useState<Expansion>(untouched);
  const rows = useMemo(() => toRows({ ...snapshot, expansion }), [snapshot, expansion]);
  const { active, shown, focusOn, select, goTo, close, onFocused } = usePlace(rows);
  const isClosed = rows.some((row) => row.isOpen === false);
  const isTree = isClosed || rows.length > 1;
  const now = useNow(view, snapshot.isAtWork);
  const asking = picture.standing?.question?.sessionId;
  const stopping = useStopping(api, view, onChanged);

  const turn = useCallback((id: string, isNowOpen: boolean) => {
    setExpansion((before) => withOpen(before, [id], isNowOpen));
  }, []);
  const showAsking = () => {
    const whole = toRows({ ...snapshot, expansion: withAll(true) });
    const row = whole.find(({ node }) => node.session?.trace.selfId === asking);
    if (!row) return;
    setExpansion((before) => withOpen(before, ancestorsOf(whole, row), true));
    select(row.id, true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !shown) return;
    event.stopPropagation();
    close();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the details from wherever in the panel one is
    <div className={styles.panel} onKeyDown={onKeyDown}>
      <header className={styles.header}>
        <h2 className={styles.title}>Timeline</h2>
        <Legend />
        {isTree ? (
          <button type="button" className={styles.quiet} onClick={() => setExpansion(withAll(isClosed))}>
            {isClosed ? 'Expand all' : 'Collapse all'}
          </button>
        ) : null}
        <CloseButton what="the timeline" onClose={onClose} />
      </header>
      <PanelNotice
        picture={picture}
        refusal={stopping.failure}
        isEmpty={rows.length === 0}
        onShowAsking={asking ? showAsking : undefined}
      />
      {rows.length > 0 ? (
        <>
          <TotalsChart {...snapshot} now={now} isShort={shown !== undefined} />
          <div className={styles.body}>
            <TreeGrid
              rows={rows}
              now={now}
              active={active}
              selected={shown?.id}
              asking={asking}
              stopping={stopping.told}
              onStop={stopping.stop}
              wantsFocus={focusOn === 'row'}
              onFocused={onFocused}
              onGo={goTo}
              onSelect={select}
              onTurn={turn}
            />
            {shown ? (
              <DetailsPane
                key={shown.id}
                row={shown}
                now={now}
                api={api}
                view={view}
                picture={picture}
                stopping={stopping}
                wantsFocus={focusOn === 'details'}
                onFocused={onFocused}
                onClose={close}
                onOpenSession={onOpenSession}
                onChanged={onChanged}
              />
            ) : null}
          </div>
        </>
      ) : null}
    </div>
  );
}

export default TimelinePanel;

function ancestorsOf(rows: readonly Row[], row: Row): readonly string[] {
  const above = rows.find(({ id }) => id === row.parent);
  return above ? [...ancestorsOf(rows, above), above.id] : [];
}
