// Text of models and people as Slack may be given it: it mentions nobody, calls no channel, and hides nothing.

/** For `mrkdwn` and for the `text` of a message. */
export function escapeMrkdwn(text: string): string {
  return cleanText(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@(?=channel|here|everyone|group)/gi, `@${joiner}`)
    .replace(/\](?=\()/g, `]${joiner}`);
}

/** For `plain_text`: one line, with an ellipsis where it is cut; never empty, which Slack refuses. */
export function toPlain(text: string, most: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return cut(line, most) || '…';
}

/**
 * For `markdown_text` of streaming calls. Slack reads all pieces as one text, so each sign is made harmless by itself:
 * no tag, no mention, no link under another name, no entity that would become one of them. Half a character cannot be sent.
 */
export function toStreamText(text: string): string {
  return text
    .toWellFormed()
    .replace(hidden, '')
    .replace(/[<@\]&]/g, (sign) => sign + joiner);
}

/** Without control characters, and without what turns the direction of writing or has no width. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(hidden, '');
}

/** What is not seen, as JSON can write it: so it is, and still means the same. For text that is JSON already. */
export function showHidden(json: string): string {
  return json.replace(hidden, (sign) =>
    sign.split('').reduce((units, unit) => `${units}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`, ''),
  );
}

/** Whether something is in it that is not seen. Joiners are part of emojis and of some scripts, but of no address. */
export function hidesSomething(text: string): boolean {
  return text.search(hidden) !== -1 || /\u200c|\u200d/.test(text);
}

/** At most so long, the ellipsis included. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, wholeCharacters(text, most - 1)).trimEnd()}…`;
}

/** Where to cut at or before a position, so that no character is split. */
export function wholeCharacters(text: string, at: number): number {
  const isInside = /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return isInside ? at - 1 : at;
}

/** Has no width, and breaks no line: between two signs that are read together it parts them, and nobody sees it. */
const joiner = '\u2060';

/** Controls, separators, and what Unicode says not to draw: but emojis and some scripts are written with two of these and two selectors. */
const hidden =
  /[^\P{Cc}\n\t]|[\u2028\u2029\ufff9-\ufffb]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;
