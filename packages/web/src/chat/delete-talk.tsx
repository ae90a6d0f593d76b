// Asks before a talk is deleted: it does not come back.

import { useState } from 'react';
import { Problem } from '../app/problem.tsx';
import { goTo } from '../app/route.ts';
import { titleWords } from '../app/title.ts';
import type { Failure, Standing } from '../server/documents.ts';
import { toFailure } from '../server/to-failure.ts';
import styles from './delete-talk.module.css';
import { Dialog } from './dialog.tsx';

export interface DeleteTalkProps {
  readonly session: Standing;
  /** Whether it is the one that is looked at. */
  readonly isOpen: boolean;
  readonly onDelete: (id: string) => Promise<void>;
  readonly onClose: () => void;
}

export function DeleteTalk({ session, isOpen, onDelete, onClose }: DeleteTalkProps) {
  const [failure, setFailure] = useState<Failure>();
  const { id, title, agent } = session;
  const remove = async () => {
    try {
      await onDelete(id);
      if (isOpen) goTo({});
      onClose();
    } catch (error) {
      setFailure(toFailure(error));
    }
  };
  return (
    <Dialog title="Delete this conversation?" closeLabel="Keep" onClose={onClose}>
      <p className={styles.text}>
        “{titleWords(title ?? agent)}” and everything that is known of it will be gone for good.
      </p>
      {failure ? <Problem failure={failure} /> : null}
      <button type="button" className={styles.delete} onClick={() => void remove()}>
        Delete
      </button>
    </Dialog>
  );
}
