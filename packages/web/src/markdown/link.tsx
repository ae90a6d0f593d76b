// Links of a text: to others in a new tab, which learn nothing of us; within the text they scroll, and leave the address alone.

import { type ComponentProps, type MouseEvent, use } from 'react';
import type { ExtraProps } from 'streamdown';
import { idPrefix } from './safe-html.ts';
import { TextId } from './text-id.ts';

export function Link({ node: _, href = '', children, id, ...props }: ComponentProps<'a'> & ExtraProps) {
  const text = use(TextId);
  const own = ownIds(text, { id, 'aria-describedby': props['aria-describedby'] });
  if (href.startsWith('#')) {
    const go = (event: MouseEvent<HTMLAnchorElement>) => scrollTo(event, `${text}${idPrefix}${href.slice(1)}`);
    return (
      <a {...props} {...own} href={href} onClick={go}>
        {children}
      </a>
    );
  }
  if (!/^(?:https?|mailto):/i.test(href)) return <span>{children}</span>;
  return (
    <a {...props} {...own} href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Something that links of the same text may go to. */
export function Heading({ node: _, id, ...props }: ComponentProps<'h2'> & ExtraProps) {
  return <h2 {...props} {...ownIds(use(TextId), { id })} />;
}

/** The same: a footnote. */
export function Item({ node: _, id, ...props }: ComponentProps<'li'> & ExtraProps) {
  return <li {...props} {...ownIds(use(TextId), { id })} />;
}

function ownIds<T extends Readonly<Record<string, string | undefined>>>(text: string, ids: T): T {
  return Object.fromEntries(Object.entries(ids).flatMap(([key, id]) => (id ? [[key, text + id]] : []))) as T;
}

/** The address says which conversation is open: it is not for places in a text. */
function scrollTo(event: MouseEvent<HTMLAnchorElement>, id: string): void {
  event.preventDefault();
  const root = event.currentTarget.getRootNode() as Document | ShadowRoot;
  const target = root.getElementById(id);
  if (!target) return;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  target.scrollIntoView({ block: 'nearest', behavior: isStill ? 'instant' : 'smooth' });
  if (!target.matches('a')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
