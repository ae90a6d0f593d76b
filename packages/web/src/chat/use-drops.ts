// Files that are dropped anywhere on the page go along with what is being written.

import { useAui } from '@assistant-ui/react';
import { useEffect, useState } from 'react';

/** Says whether one is held over the page. Where none are taken they are refused. */
export function useDrops(isTaking: boolean): boolean {
  const [isOver, setOver] = useState(false);
  const aui = useAui();
  useEffect(() => {
    if (!isTaking) return;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const onLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      // What is refused is told by whoever lists the files.
      for (const file of event.dataTransfer?.files ?? []) void aui.composer.addAttachment(file).catch(() => {});
    };
    addEventListener('dragover', onOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
      setOver(false);
    };
  }, [isTaking, aui]);
  return isOver;
}

/** A file that nobody takes would take the place of the page, and of all that is written in it. */
export function keepPage(): () => void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  };
  addEventListener('dragover', refuse);
  addEventListener('drop', refuse);
  return () => {
    removeEventListener('dragover', refuse);
    removeEventListener('drop', refuse);
  };
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
