// The files that go along with what is being written, and why others cannot.

import { AttachmentPrimitive, ComposerPrimitive, useAuiEvent, useAuiState } from '@assistant-ui/react';
import { useEffect, useRef, useState } from 'react';
import { sizeOf } from '../app/time.ts';
import styles from './composer-files.module.css';
import { wordsOf } from './takes-files.ts';

export interface ComposerFilesProps {
  readonly takes: readonly string[];
  /** Somebody has taken one away, and the focus is lost with it. */
  readonly onRemove: () => void;
}

export function ComposerFiles({ takes, onRemove }: ComposerFilesProps) {
  const [refused, setRefused] = useState<readonly string[]>([]);
  const count = useAuiState((state) => state.composer.attachments.length);
  const before = useRef(count);
  useAuiEvent('composer.attachmentAddError', ({ reason, message, contentType }) => {
    const type = contentType || 'A file of unknown type';
    const why = reason === 'adapter-error' ? message : `${type} cannot be sent: this agent takes ${wordsOf(takes)}.`;
    setRefused((before) => [...new Set([...before, why])]);
  });
  useAuiEvent('composer.send', () => setRefused([]));
  // Others of the same choice may be taken: only who takes one away has seen what was refused.
  useEffect(() => {
    if (count < before.current) setRefused([]);
    before.current = count;
  }, [count]);
  return (
    <>
      {refused.length === 0 ? null : (
        <p className={styles.refusal} role="alert">
          {refused.join(' ')}
        </p>
      )}
      {count === 0 ? null : (
        <ul className={styles.files} aria-label="Files">
          <ComposerPrimitive.Attachments>{drawFile(onRemove)}</ComposerPrimitive.Attachments>
        </ul>
      )}
    </>
  );
}

interface Drawn {
  readonly attachment: { readonly name: string; readonly file?: File };
}

function drawFile(onRemove: () => void) {
  return ({ attachment: { name, file } }: Drawn) => (
    <AttachmentPrimitive.Root asChild>
      <li className={styles.file}>
        <span className={styles.name}>{name}</span>
        {file ? <span className={styles.size}>{sizeOf(file.size)}</span> : null}
        <AttachmentPrimitive.Remove asChild>
          <button type="button" className={styles.remove} aria-label={`Remove ${name}`} onClick={onRemove}>
            ×
          </button>
        </AttachmentPrimitive.Remove>
      </li>
    </AttachmentPrimitive.Root>
  );
}
