// Texts taken apart: sentences, the most telling of them, and cuts that end at a word.

const stopWords = new Set(
  (
    'about after again also been before being between both could does doing down each even every from further have ' +
    'having here into itself just like made make many more most much must only other over same should since some such ' +
    'than that their them then there these they this those through under until upon very was were what when where which ' +
    'while will with would your yours please could'
  ).split(' '),
);

/** One entry per sentence or line, without the marks of Markdown. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+/)
    .map(withoutMarks)
    .flatMap((line) => line.split(/(?<=[.!?…]["')\]]?)\s+(?=[^a-z\s])/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

export function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d+[.)])\s+/, '')
    .replace(/\*\*|__|`/g, '')
    .trim();
}

/** The most informative sentences, in the order they were written. */
export function pickInformative(sentences: readonly string[], most: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of sentences.flatMap(contentWords)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const scored = sentences.map((text, index) => ({ text, index, score: scoreOf(text, counts) }));
  const best = scored.toSorted((a, b) => b.score - a.score || a.index - b.index).slice(0, most);
  return best.toSorted((a, b) => a.index - b.index).map(({ text }) => text);
}

function scoreOf(sentence: string, counts: ReadonlyMap<string, number>): number {
  const words = contentWords(sentence);
  const weight = [...new Set(words)].reduce((sum, word) => sum + (counts.get(word) ?? 0), 0);
  const details = sentence.match(/\d[\d.,]*|(?<=[\p{L},] )\p{Lu}\p{L}+/gu)?.length ?? 0;
  return (weight + 2 * details) / Math.sqrt(words.length + 4);
}

/** Words that carry meaning, in a crude common form, so that `notes` meets `note`. */
export function contentWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length > 2 && !stopWords.has(word)).map(toStem);
}

function toStem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ies|es|s|ing|ed|ers?)$/, '').replace(/e$/, '') : word;
}

/** At most so many characters, cut at a word where one ends not too early, and marked as cut. */
export function cut(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const kept = characters.slice(0, Math.max(0, most - 1)).join('');
  const space = kept.lastIndexOf(' ');
  return `${(space > kept.length / 2 ? kept.slice(0, space) : kept).replace(/[\s,;:.–—-]+$/, '')}…`;
}

/** Whole sentences from the beginning, as many as there is room for, and at least the head of the first. */
export function firstSentences(text: string, most: number): string {
  let taken = '';
  for (const sentence of sentencesOf(text)) {
    const longer = taken === '' ? sentence : `${taken} ${sentence}`;
    if (longer.length > most) break;
    taken = longer;
  }
  return taken === '' ? cut(withoutMarks(text.trim()), most) : taken;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a, b and c` */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
