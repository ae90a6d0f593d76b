// Ids of sessions as people read and write them.

/** Enough of one to tell it from all others at a glance. */
export function shortId(id: string): string {
  return id.slice(0, 10);
}

/** The beginning of an id stands for it from here on, where no other begins so. */
export const leastLetters = 4;

/** Whether it may be one, or the beginning of one. */
export function isId(text: string): boolean {
  return /^[\w-]{1,200}$/.test(text);
}
