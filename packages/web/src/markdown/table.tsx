// A table of a text: where it is too wide, it scrolls in a place of its own.

import type { ComponentProps } from 'react';
import type { ExtraProps } from 'streamdown';

export function Table({ node: _, ...props }: ComponentProps<'table'> & ExtraProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keys
    <section className="table" tabIndex={0} aria-label="Table">
      <table {...props} />
    </section>
  );
}
