// What a key does in the tree: as in every tree that people know.

import type { Row } from './rows.ts';

export type Move =
  | { readonly type: 'go'; readonly index: number }
  | { readonly type: 'turn'; readonly id: string; readonly isOpen: boolean }
  | { readonly type: 'select'; readonly id: string };

/** Nothing for keys that are not meant for it. */
export function toMove(rows: readonly Row[], index: number, key: string, pageSize = 10): Move | undefined {
  const row = rows[index];
  if (!row) return undefined;
  const goTo = (to: number): Move => ({ type: 'go', index: Math.max(0, Math.min(rows.length - 1, to)) });
  switch (key) {
    case 'ArrowDown':
      return goTo(index + 1);
    case 'ArrowUp':
      return goTo(index - 1);
    case 'PageDown':
      return goTo(index + pageSize);
    case 'PageUp':
      return goTo(index - pageSize);
    case 'Home':
      return goTo(0);
    case 'End':
      return goTo(rows.length - 1);
    case 'ArrowRight':
      return goIn(row, goTo(index + 1));
    case 'ArrowLeft':
      return goOut(rows, row);
    case 'Enter':
      return { type: 'select', id: row.id };
    default:
      return undefined;
  }
}

function goIn({ id, isOpen }: Row, next: Move): Move | undefined {
  if (isOpen === undefined) return undefined;
  return isOpen ? next : { type: 'turn', id, isOpen: true };
}

function goOut(rows: readonly Row[], { id, isOpen, parent }: Row): Move | undefined {
  if (isOpen) return { type: 'turn', id, isOpen: false };
  const above = rows.findIndex((row) => row.id === parent);
  return above < 0 ? undefined : { type: 'go', index: above };
}
