// Where a link leads, and whether its label says so: a label that looks like another address is followed by the real one.

import { asRead, compareHost, lookAt } from './addresses.ts';
import { type Crossing, isPlainAcross } from './crossings.ts';
import { limits } from './limits.ts';
import { hidesSomething } from './safe-text.ts';

interface Target {
  /** As everybody reads it: spelled by the rules of addresses, so that no reader takes it for another. */
  readonly url: string;
  /** The host, or the mailbox. */
  readonly real: string;
  /** It is made to be taken for another one: a name before the host, or letters of another script in it. */
  readonly isDoubtful: boolean;
}

/** Undefined for what is no link here: other schemes, addresses without one, very long ones. */
export function toTarget(url: string): Target | undefined {
  const parsed = URL.parse(url.trim());
  if (parsed === null || !/^(?:https?|mailto):$/.test(parsed.protocol) || parsed.href.length > limits.url) return;
  if (parsed.protocol === 'mailto:') return { url: parsed.href, real: readable(parsed.pathname), isDoubtful: false };
  const isDoubtful =
    parsed.username !== '' || parsed.password !== '' || /(?:^|\.)xn--/.test(parsed.hostname) || hidesSomething(url);
  return { url: parsed.href, real: parsed.host, isDoubtful };
}

export interface Link {
  /** As it was written, with what is not seen. */
  readonly label: string;
  /** The same of its address. */
  readonly url: string;
  readonly target: Target;
}

/** Whether it may stand as it does, alone and with what is read across its borders. */
export function isHonest(link: Link, crossings: readonly Crossing[]): boolean {
  return isHonestAlone(link) && isPlainAcross(crossings, link.target.real.toLowerCase());
}

function isHonestAlone({ label, url, target }: Link): boolean {
  if (target.isDoubtful || hidesSomething(label)) return false;
  if (label === url || url === `mailto:${label}` || url === `http://${label}`) return true;
  const words = asRead(label).split(/[\s()[\]{}<>"'`,;|]+/);
  return words.every((word) => compareHost(lookAt(word), target.real.toLowerCase()) !== 'other');
}

function readable(mailbox: string): string {
  try {
    return decodeURIComponent(mailbox);
  } catch {
    return mailbox;
  }
}
