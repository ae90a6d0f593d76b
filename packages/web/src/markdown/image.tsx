// Images of a text: those that are in it, and our own. Of any other only the address is shown, since asking for it would tell
// somebody else that the text was read.

import type { ComponentProps } from 'react';
import type { ExtraProps } from 'streamdown';
import { Link } from './link.tsx';

export function Image({ src, alt = '', width, height }: ComponentProps<'img'> & ExtraProps) {
  const address = typeof src === 'string' ? src : '';
  if (isOurs(address)) return <img src={address} alt={alt} width={width} height={height} loading="lazy" />;
  const words = alt === '' ? 'Image' : alt;
  return address === '' ? <span>{alt}</span> : <Link href={address}>{words}</Link>;
}

/** In pages of others, an address of theirs is not ours. */
function isOurs(address: string): boolean {
  if (/^(?:data:image\/|blob:)/i.test(address)) return true;
  const to = URL.parse(address, document.baseURI);
  return to !== null && to.origin === location.origin && to.origin === new URL(import.meta.url).origin;
}
