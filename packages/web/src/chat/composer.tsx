// Where somebody writes: Enter sends, Shift+Enter is a new line, files come by button, paste and drop.

import { ComposerPrimitive } from '@assistant-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Problem } from '../app/problem.tsx';
import type { Failure } from '../server/documents.ts';
import styles from './composer.module.css';
import { ComposerFiles } from './composer-files.tsx';

export interface ComposerProps {
  readonly placeholder: string;
  /** Media types that may be sent along. */
  readonly takes: readonly string[] | undefined;
  /** Why what was written was not taken. */
  readonly failure: Failure | undefined;
  /** Whenever it is another number than before, one writes here; never with 0. */
  readonly focus: number;
  /** Beside the button that sends. */
  readonly children?: ReactNode;
}

export function Composer({ placeholder, takes, failure, focus, children }: ComposerProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focus > 0) input.current?.focus({ preventScroll: true });
  }, [focus]);
  useEffect(keepPage, []);
  return (
    <>
      {failure ? (
        <div className={styles.problem}>
          <Problem failure={failure} />
        </div>
      ) : null}
      <ComposerPrimitive.AttachmentDropzone asChild>
        <ComposerPrimitive.Root className={styles.composer}>
          {takes ? <ComposerFiles takes={takes} onRemove={() => input.current?.focus()} /> : null}
          <ComposerPrimitive.Input
            ref={input}
            className={styles.input}
            aria-label="Message"
            placeholder={placeholder}
            minRows={1}
            maxRows={12}
            cancelOnEscape={false}
          />
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
      </ComposerPrimitive.AttachmentDropzone>
    </>
  );
}

/** A file that is dropped beside the field would take the place of the page, and of all that is written in it. */
function keepPage(): () => void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  addEventListener('dragover', refuse);
  addEventListener('drop', refuse);
  return () => {
    removeEventListener('dragover', refuse);
    removeEventListener('drop', refuse);
  };
}
