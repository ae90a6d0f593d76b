// Text of others on a screen of ours: no longer than there is room for.

/** Of what is longer the head and the tail: what matters may stand at the end. */
export function bounded(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const tail = Math.floor(longest / 4);
  return `${text.slice(0, longest - tail)} … (${text.length - longest} characters left out) … ${text.slice(-tail)}`;
}
