// Stands in for `decode-named-character-reference` when the page is bundled: that one has browsers read HTML for it, which our pages
// forbid. The table is there anyway, with the parser of HTML.

import { decodeHTMLStrict } from 'entities/decode';

/** `value` is without its `&` and `;`. */
export function decodeNamedCharacterReference(value: string): string | false {
  const reference = `&${value};`;
  const decoded = decodeHTMLStrict(reference);
  return decoded === reference ? false : decoded;
}
