// Slack's markup as people read it: mentions, channels and links in words, escaped signs as they were typed.

import { oneLine } from '@ai-agent/core';

/** What an id is called; undefined: the id itself. */
export type LabelOf = (user: string) => string | undefined;

/** In one pass: what an escaped sign becomes is not read as markup. */
export function toReadable(text: string, labelOf: LabelOf): string {
  return text.replace(/<([^<>]*)>|&(?:lt|gt|amp);/g, (written, inside: string | undefined) =>
    inside === undefined ? unescapeSigns(written) : readTag(inside, labelOf),
  );
}

/** Everybody who is mentioned there. */
export function mentionedIn(text: string): readonly string[] {
  return [...text.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map(([, user = '']) => user);
}

export function withoutMention(text: string, bot: string): string {
  return text.replace(/<@([A-Z0-9]+)(?:\|[^<>]*)?>[ \t]?/g, (written, user: string) => (user === bot ? '' : written));
}

function readTag(inside: string, labelOf: LabelOf): string {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? '' : unescapeSigns(inside.slice(bar + 1)).trim();
  if (target.startsWith('@')) return `@${oneLine(labelOf(target.slice(1)) ?? (label || target.slice(1)))}`;
  if (target.startsWith('#')) return `#${label || target.slice(1)}`;
  if (target.startsWith('!')) return readSpecial(target.slice(1), label);
  return readLink(unescapeSigns(target), label);
}

/** `<!here>`, `<!subteam^S1|@team>`, `<!date^1700000000^{date}|16 November>`. */
function readSpecial(target: string, label: string): string {
  const [kind = '', id = ''] = target.split('^');
  if (kind === 'subteam') return label === '' ? `@${id}` : `@${label.replace(/^@/, '')}`;
  if (kind === 'date') return label || id;
  return `@${label.replace(/^@/, '') || kind}`;
}

/** The address stays in sight, unless the label is it already. */
function readLink(address: string, label: string): string {
  const bare = address.replace(/^(?:https?:\/\/|mailto:|tel:)/, '');
  if (label === '' || label === address) return address;
  return label === bare ? bare : `${label} (${address})`;
}

function unescapeSigns(text: string): string {
  return text.replace(/&(lt|gt|amp);/g, (_, name: 'lt' | 'gt' | 'amp') => signs[name]);
}

const signs = { lt: '<', gt: '>', amp: '&' } as const;
