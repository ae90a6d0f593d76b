// Texts read by their form alone: what a request wants made, about what, what it states; sentences, and cuts.

export interface Brief {
  /** The task in a few words: `Release note for version 2.4`. */
  readonly heading: string;
  /** `version 2.4`; empty when the form does not tell. */
  readonly topic: string;
  /** What the order itself says of the topic: `adds offline mode`. */
  readonly said: readonly string[];
  /** The sentences that state something, each usable alone. */
  readonly statements: readonly string[];
}

const verbs =
  'answer|analy[sz]e|ask|calculate|check|compare|compose|create|describe|draft|explain|find|generate|give|help|let|list|' +
  'look|make|name|outline|plan|please|prepare|produce|propose|provide|report|research|review|say|search|send|show|' +
  'suggest|summari[sz]e|tell|translate|try|use|write';
const polite = '^(?:(?:can|could|would|will) you |please )*';
const order = new RegExp(`${polite}(?:${verbs})\\b`, 'i');
const made = new RegExp(
  `${polite}(?:write|draft|prepare|create|compose|produce|make|generate|give|plan)(?: me| us)? ` +
    '(.+?) (for|about|on) ([^:]+?)(?:,? (?:which|that|who) (.+?))?[.!?]*$',
  'i',
);

/** The instructions tell which part of the order is meant for their reader; without any, all of it. */
export function readBrief(request: string, instructions = ''): Brief {
  const sentences = sentencesOf(request);
  const [first = 'Nothing was asked'] = sentences;
  const [, products, link, topic = '', said = ''] = made.exec(first.slice(0, 500)) ?? [];
  const plain = order.test(first) ? first.replace(/: .*/, '') : first;
  const title = products ? `${listed(productsFor(instructions, products))} ${link} ${topic}` : plain;
  const stated = sentences
    .map((sentence) => (order.test(sentence) ? afterColon(sentence) : sentence))
    .filter((sentence) => sentence.split(' ').length > 2 && !sentence.endsWith('?'));
  return {
    heading: cut(capitalize(title.replace(/[.:;!]+$/, '')), 90),
    topic,
    said: said.split(/,? and (?=\w+s )|, (?=\w+s )/).filter((part) => part !== ''),
    statements: topic ? stated.map((sentence) => sentence.replace(/^It (?=\w+s )/, `${capitalize(topic)} `)) : stated,
  };
}

/** Everything that was stated, as single sentences. */
export function factsOf({ topic, said, statements }: Brief): readonly string[] {
  return [...said.map((fact) => `${capitalize(topic)} ${fact}.`), ...statements];
}

/** `Summarise this: …` gives an order first, and then something to work on. */
function afterColon(sentence: string): string {
  const end = sentence.indexOf(': ');
  return end > 0 && end < 60 ? sentence.slice(end + 2).trim() : '';
}

/** Of `a release note and a support FAQ`, what the instructions speak of; all, when they do not. */
function productsFor(instructions: string, text: string): readonly string[] {
  const products = text.split(/,? and |, /).map((product) => product.replace(/^(?:an?|the|some|one|both) /i, ''));
  const role = instructions.toLowerCase();
  const own = products.filter((product) => product.split(' ').every((word) => role.includes(word.toLowerCase())));
  return own.length > 0 ? own : products;
}

/** By rule nothing is read beyond this: what a text is about is said early. */
const readable = 20_000;

/** One entry per sentence or line, without the marks of Markdown. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .slice(0, readable)
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

/** Those that say most, which are the longest, in the order they were written. */
export function pickLongest(sentences: readonly string[], most: number): readonly string[] {
  const best = new Set(sentences.toSorted((a, b) => b.length - a.length).slice(0, most));
  return sentences.filter((sentence) => best.has(sentence)).slice(0, most);
}

/** At most so many characters, cut at a word where one ends not too early, and marked as cut. */
export function cut(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most + 2)];
  if (characters.length <= most) return text;
  const kept = characters.slice(0, Math.max(0, most - 1)).join('');
  const space = kept.lastIndexOf(' ');
  return `${(space > kept.length / 2 ? kept.slice(0, space) : kept).replace(/[\s,;:.–—-]+$/, '')}…`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function toSentence(text: string): string {
  return /[.!?…]["')\]]?$/.test(text) ? text : `${text}.`;
}

/** `a, b and c` */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
