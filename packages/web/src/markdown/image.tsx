// Images of a text: those that are in it. Of any other only the address is shown, since asking for it would tell somebody that the
// text was read, and ask a server, ours too, for whatever a model has written.

import type { ComponentProps } from 'react';
import type { ExtraProps } from 'streamdown';
import { Link } from './link.tsx';

export function Image({ src, alt = '', width, height }: ComponentProps<'img'> & ExtraProps) {
  const address = typeof src === 'string' ? src : '';
  if (/^(?:data:image\/|blob:)/i.test(address))
    return <img src={address} alt={alt} width={width} height={height} loading="lazy" />;
  const words = alt === '' ? 'Image' : alt;
  return address === '' ? <span>{alt}</span> : <Link href={address}>{words}</Link>;
}
