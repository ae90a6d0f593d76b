// What can be done to a session: stopped, cancelled, given more, taken along.

import { useEffect, useRef, useState } from 'react';
import { CopyButton } from '../copying/copy-button.tsx';
import type { Api } from '../server/api.ts';
import { type Failure, isAtWork, type Standing } from '../server/documents.ts';
import { toFailure } from '../server/to-failure.ts';
import type { SessionView } from '../session/session-view.ts';
import type { Budget } from './budget-fields.tsx';
import styles from './controls.module.css';
import { Menu } from './menu.tsx';
import { RaiseButton } from './raise-button.tsx';
import { saveSession } from './save-session.ts';
import { TemplateButton } from './template-button.tsx';

export interface ControlsProps {
  readonly api: Api;
  readonly view: SessionView;
  readonly standing: Standing;
  /** What the file of the agent allows at most. */
  readonly allowed: Budget | undefined;
  readonly onChanged: (standing: Standing) => void;
  readonly onFailed: (failure: Failure | undefined) => void;
  /** It has ended, and with it went the button that had the focus. */
  readonly onLost: () => void;
}

export function Controls({ api, view, standing, allowed, onChanged, onFailed, onLost }: ControlsProps) {
  const [isStopping, setStopping] = useState(false);
  const { id, agent } = standing;
  const isBusy = isAtWork(standing);
  const isOpen = isBusy || standing.question !== undefined;
  const wasOpen = useRef(isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it ends, and not again
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) onLost();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const tryTo = async (doIt: () => Promise<Standing | undefined>) => {
    onFailed(undefined);
    try {
      const changed = await doIt();
      if (changed) onChanged(changed);
      return true;
    } catch (error) {
      onFailed(toFailure(error));
      return false;
    }
  };
  const stop = async () => {
    if (isStopping) return;
    setStopping(true);
    setStopping(await tryTo(() => api.stop(id)));
  };
  return (
    <>
      {/* Of one that waits for an answer both close the question. */}
      {isOpen ? (
        <div className={styles.work}>
          <button type="button" className={styles.button} aria-disabled={isStopping} onClick={() => void stop()}>
            {isStopping ? 'Stopping' : 'Stop'}
          </button>
          <button type="button" className={styles.button} onClick={() => void tryTo(() => api.cancel(id))}>
            Cancel
          </button>
        </div>
      ) : null}
      <Menu label="More">
        {isBusy ? (
          <RaiseButton api={api} view={view} standing={standing} allowed={allowed} onChanged={onChanged} />
        ) : null}
        <button type="button" onClick={() => void tryTo(() => saveSession(api, standing))}>
          Download JSON
        </button>
        <CopyButton label="Copy link" toText={() => location.href} />
        <TemplateButton api={api} agent={agent} />
      </Menu>
    </>
  );
}
