// Where somebody writes: Enter sends, Shift+Enter is a new line, files come by button, paste and drop.

import { ComposerPrimitive, useAui, useAuiState } from '@assistant-ui/react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Problem } from '../app/problem.tsx';
import type { Failure } from '../server/documents.ts';
import styles from './composer.module.css';
import { ComposerFiles } from './composer-files.tsx';
import { useKeptMessage } from './drafts.ts';
import { useDrops } from './use-drops.ts';

export interface ComposerProps {
  readonly placeholder: string;
  /** Media types that may be sent along. */
  readonly takes: readonly string[] | undefined;
  /** Why what was written was not taken. */
  readonly failure: Failure | undefined;
  /** Whenever it is another number than before, one writes here; never with 0. */
  readonly focus: number;
  /** What is written is kept under it while something else is looked at. */
  readonly draft: string;
  /** Beside the button that sends. */
  readonly children?: ReactNode;
}

export function Composer({ placeholder, takes, failure, focus, draft, children }: ComposerProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focus > 0) input.current?.focus({ preventScroll: true });
  }, [focus]);
  useKeptMessage(draft);
  const isOver = useDrops(takes !== undefined);
  const early = useEarly();
  return (
    <>
      {failure ? (
        <div className={styles.problem}>
          <Problem failure={failure} />
        </div>
      ) : null}
      <ComposerPrimitive.Root className={styles.composer} data-dragging={isOver ? '' : undefined}>
        {/* What another agent did not take is not said of this one. */}
        {takes ? <ComposerFiles key={takes.join()} takes={takes} onRemove={() => input.current?.focus()} /> : null}
        <ComposerPrimitive.Input
          ref={input}
          className={styles.input}
          aria-label="Message"
          placeholder={placeholder}
          minRows={1}
          maxRows={12}
          cancelOnEscape={false}
          onKeyDown={early.onKeyDown}
        />
        <p className={styles.early} role="status">
          {early.words}
        </p>
        <div className={styles.row}>
          {takes ? (
            <ComposerPrimitive.AddAttachment asChild>
              <button type="button" className={styles.quiet}>
                Attach
              </button>
            </ComposerPrimitive.AddAttachment>
          ) : null}
          {children}
          <span className={styles.space} />
          <ComposerPrimitive.Send className={styles.send}>Send</ComposerPrimitive.Send>
        </div>
      </ComposerPrimitive.Root>
    </>
  );
}

interface Early {
  readonly words: string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Enter while the agent works sends nothing, and is no new line either: that is said. */
function useEarly(): Early {
  const aui = useAui();
  const isRunning = useAuiState((state) => state.thread.isRunning);
  const [isTried, setTried] = useState(false);
  if (isTried && !isRunning) setTried(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !isRunning) return;
    event.preventDefault();
    if (aui.composer.getState().text.trim() !== '') setTried(true);
  };
  return { words: isTried ? 'It can be sent when the answer is there.' : '', onKeyDown };
}
