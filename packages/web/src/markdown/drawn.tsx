// Markdown as elements, and nothing that could act: no scripts, styles or forms of a model's own, no request to anybody. It brings no
// style sheet, so that it can be drawn where another is in force.

import { useId } from 'react';
import { type Components, Streamdown } from 'streamdown';
import { CodeBlock } from './code-block.tsx';
import { Image } from './image.tsx';
import { Heading, Item, Link } from './link.tsx';
import { rehypePlugins } from './safe-html.ts';
import { Table } from './table.tsx';
import { TextId } from './text-id.ts';
import { usePace } from './use-pace.ts';

export interface MarkdownProps {
  readonly text: string;
  /** Whether more of it comes: what is open at its end is closed for now, and diagrams wait until they are whole. */
  readonly isStreaming: boolean;
}

export function DrawnMarkdown({ text, isStreaming }: MarkdownProps) {
  const id = useId();
  const drawn = usePace(text, isStreaming);
  return (
    <TextId value={id}>
      <Streamdown
        className="markdown"
        components={components}
        rehypePlugins={rehypePlugins}
        remarkRehypeOptions={footnotes}
        parseIncompleteMarkdown={isStreaming}
        isAnimating={isStreaming}
        controls={false}
        dir="auto"
      >
        {drawn}
      </Streamdown>
    </TextId>
  );
}

/** Its own are made for another style sheet: whatever is not named here is the plain element. */
const plain = ['h1', 'h3', 'h4', 'h5', 'h6', 'p', 'strong', 'ul', 'ol', 'hr', 'blockquote'] as const;
const alsoPlain = ['code', 'sub', 'sup', 'section', 'thead', 'tbody', 'tr', 'th', 'td'] as const;

const components: Components = {
  ...Object.fromEntries([...plain, ...alsoPlain].map((name) => [name, name])),
  a: Link,
  h2: Heading,
  li: Item,
  img: Image,
  pre: CodeBlock,
  table: Table,
};

/** An arrow that no system draws as a picture. */
const footnotes = { clobberPrefix: '', footnoteBackContent: '\u2191' };
