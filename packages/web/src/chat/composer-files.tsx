// The files that go along with what is being written, and why others cannot.

import { AttachmentPrimitive, ComposerPrimitive, useAuiEvent, useAuiState } from '@assistant-ui/react';
import { useEffect, useState } from 'react';
import { sizeOf } from '../app/time.ts';
import styles from './composer-files.module.css';
import { wordsOf } from './takes-files.ts';

export function ComposerFiles({ takes }: { readonly takes: readonly string[] }) {
  const [refusal, setRefusal] = useState<string>();
  const count = useAuiState((state) => state.composer.attachments.length);
  useAuiEvent('composer.attachmentAddError', ({ contentType }) =>
    setRefusal(`${contentType || 'A file of unknown type'} cannot be sent: this agent takes ${wordsOf(takes)}.`),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file that is taken or removed makes an earlier refusal old
  useEffect(() => setRefusal(undefined), [count]);
  return (
    <>
      {refusal === undefined ? null : (
        <p className={styles.refusal} role="alert">
          {refusal}
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
