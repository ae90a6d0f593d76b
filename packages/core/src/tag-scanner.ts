// Finds the tags around reports and metadata in a text that comes in pieces. Those that are only shown, as in code, are text.

import { LineSense } from './line-sense.ts';

/** A report begins or ends; or a piece of text, which is not metadata. */
export type Seen = 'open' | 'close' | { readonly text: string };

interface Tag {
  readonly isClosing: boolean;
  readonly nonce: string;
  readonly kind: string;
  readonly begin: number;
  /** Where what follows it begins. */
  readonly end: number;
}

/** An opening tag in the middle of a line is closed within this, or is none. */
const maxWait = 65_536;

/** `wait`: what follows will tell. */
type Answer = 'yes' | 'no' | 'wait';

/**
 * A tag counts outside of code and quotation marks: where it begins a line; an opening one also anywhere else, if it is
 * closed; a closing one wherever its report is open, and at the very end. Inside a report that leaves its code open, the
 * closing tag counts at the very end.
 */
export class TagScanner {
  readonly #lines = new LineSense();
  #isInside = false;
  #isMeta = false;
  /** What may be a tag, and what came after it. */
  #held = '';
  /** Whether another look is worth it, by how much is held and the piece that came last. */
  #wanted: ((length: number, piece: string) => boolean) | undefined;
  #seen: Seen[] = [];
  #lastClosing: number | undefined;

  /** Whether a text without `<` is told at once, and is text. */
  get isFree(): boolean {
    return this.#held === '' && !this.#isMeta;
  }

  /** Text that was told without being looked at: it has no `<`. */
  note(text: string): void {
    this.#lines.take(text);
  }

  push(text: string): readonly Seen[] {
    const all = this.#held + text;
    if (this.#wanted && !this.#wanted(all.length, text)) {
      this.#held = all;
      return [];
    }
    return this.#scan(all, false);
  }

  end(): readonly Seen[] {
    return this.#scan(this.#held, true);
  }

  #scan(all: string, isEnd: boolean): readonly Seen[] {
    this.#seen = [];
    this.#held = '';
    this.#wanted = undefined;
    this.#lastClosing = undefined;
    let done = 0;
    for (let at = all.indexOf('<'); at !== -1; at = all.indexOf('<', at)) {
      this.#tell(all.slice(done, at));
      done = at;
      const tag = tagAt(all, at);
      const answer = tag ? this.#judge(tag, all, isEnd) : this.#mayBegin(all.slice(at), isEnd);
      if (answer === 'wait') {
        this.#held = all.slice(at);
        return this.#seen;
      }
      if (tag && answer === 'yes') {
        this.#apply(tag);
        done = tag.end;
      } else if (answer === 'yes') done = all.length;
      at = Math.max(done, at + 1);
    }
    this.#tell(all.slice(done));
    return this.#seen;
  }

  #tell(text: string): void {
    if (text === '' || this.#isMeta) return;
    this.#lines.take(text);
    this.#seen.push({ text });
  }

  #apply({ isClosing, kind }: Tag): void {
    const isReport = kind === 'FINAL';
    this.#isMeta = !isReport && !isClosing;
    if (!isReport || (isClosing && !this.#isInside)) return;
    this.#isInside = !isClosing;
    this.#lines.reset();
    this.#seen.push(isClosing ? 'close' : 'open');
  }

  #judge(tag: Tag, all: string, isEnd: boolean): Answer {
    return tag.isClosing ? this.#judgeClosing(tag, all, isEnd) : this.#judgeOpening(tag, all, isEnd);
  }

  #judgeOpening({ nonce, kind, begin, end }: Tag, all: string, isEnd: boolean): Answer {
    if (this.#isMeta) return kind === 'FINAL' ? 'yes' : 'no';
    const { isShown, isIndented, isAtStart } = this.#lines;
    if (isShown || isIndented) return 'no';
    if (isAtStart) return 'yes';
    this.#lastClosing ??= all.lastIndexOf('</ai-agent-');
    const following = all.slice(end, end + maxWait);
    const closing = `</ai-agent-${nonce}-${kind}>`;
    if (this.#lastClosing >= end && following.includes(closing)) return 'yes';
    if (isEnd || following.length === maxWait) return 'no';
    const most = end - begin + maxWait;
    // Only the end of what is held is looked at: all of it for every piece would be too much.
    let tail = all.slice(-closing.length);
    this.#wanted = (length, piece) => {
      const near = tail + piece;
      tail = near.slice(-closing.length);
      return length >= most || near.includes(closing);
    };
    return 'wait';
  }

  #judgeClosing({ kind, end }: Tag, all: string, isEnd: boolean): Answer {
    const isOpen = kind === 'FINAL' ? this.#isInside : this.#isMeta;
    if (this.#isMeta) return isOpen ? 'yes' : 'no';
    const { isShown, isAtStart } = this.#lines;
    if (!isShown && (isOpen || isAtStart)) return 'yes';
    if ((isShown && !isOpen) || /\S/.test(all.slice(end))) return 'no';
    if (isEnd) return 'yes';
    this.#wanted = (_length, piece) => /\S/.test(piece);
    return 'wait';
  }

  /** Half a tag. At the end of everything, one that says whose it is was one. */
  #mayBegin(rest: string, isEnd: boolean): Answer {
    if (!isHalfTag(rest) || (this.#lines.isShown && !this.#isInside)) return 'no';
    if (!isEnd) return 'wait';
    return rest.includes('ai-agent-') && (this.#lines.isAtStart || this.#isInside) ? 'yes' : 'no';
  }
}

const tag = /<(\/?)ai-agent-([A-Za-z\d]{4,16})-(FINAL|META)(?:\s[^<>]{0,300})?>/y;

function tagAt(text: string, at: number): Tag | undefined {
  tag.lastIndex = at;
  const found = tag.exec(text);
  if (!found) return undefined;
  const [all, slash, nonce = '', kind = ''] = found;
  return { isClosing: slash === '/', nonce, kind, begin: at, end: at + all.length };
}

const half =
  /^<\/?ai-agent-(?:[A-Za-z\d]{0,16}|[A-Za-z\d]{4,16}-(?:F|FI|FIN|FINA|M|ME|MET|(?:FINAL|META)(?:\s[^<>]{0,300})?)?)$/;
const heads = ['<ai-agent-', '</ai-agent-'];

function isHalfTag(text: string): boolean {
  return heads.some((head) => head.startsWith(text)) || (text.length < 400 && half.test(text));
}
