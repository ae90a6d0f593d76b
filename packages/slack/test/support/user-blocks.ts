// What a person writes comes with blocks as well, in which whom they mention is an element of its own.
import type { Thing } from './values.ts';

export function toUserBlocks(text: string): Thing[] {
  const elements = [...text.matchAll(/<@([A-Z0-9]+)>|[^<]+|</g)].map(([written, user]) =>
    user === undefined ? { type: 'text', text: unescaped(written) } : { type: 'user', user_id: user },
  );
  return elements.length === 0 ? [] : [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }];
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
