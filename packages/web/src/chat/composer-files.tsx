// The files that go along with what is being written, and why others cannot.

import { AttachmentPrimitive, ComposerPrimitive, useAuiEvent, useAuiState } from '@assistant-ui/react';
import { useEffect, useRef, useState } from 'react';
import { sizeOf } from '../app/time.ts';
import styles from './composer-files.module.css';
import { wordsOf } from './takes-files.ts';

export function ComposerFiles({ takes }: { readonly takes: readonly string[] }) {
  const [refused, setRefused] = useState<readonly string[]>([]);
  const count = useAuiState((state) => state.composer.attachments.length);
  const before = useRef(count);
  useAuiEvent('composer.attachmentAddError', ({ contentType }) =>
    setRefused((types) => [...new Set([...types, contentType || 'A file of unknown type'])]),
  );
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
          {refused.join(', ')} cannot be sent: this agent takes {wordsOf(takes)}.
        </p>
      )}
      {count === 0 ? null : (
        <ul className={styles.files} aria-label="Files">
          <ComposerPrimitive.Attachments>{drawFile}</ComposerPrimitive.Attachments>
        </ul>
      )}
    </>
  );
}

interface Drawn {
  readonly attachment: { readonly name: string; readonly file?: File };
}

function drawFile({ attachment: { name, file } }: Drawn) {
  return (
    <AttachmentPrimitive.Root asChild>
      <li className={styles.file}>
        <span className={styles.name}>{name}</span>
        {file ? <span className={styles.size}>{sizeOf(file.size)}</span> : null}
        <AttachmentPrimitive.Remove asChild>
          <button type="button" className={styles.remove} aria-label={`Remove ${name}`}>
            ×
          </button>
        </AttachmentPrimitive.Remove>
      </li>
    </AttachmentPrimitive.Root>
  );
}
