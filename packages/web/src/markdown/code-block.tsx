// A block of code: its language, and a button that copies it. One of mermaid's is drawn, once it is whole.

import type { ComponentProps } from 'react';
import { type ExtraProps, useIsCodeFenceIncomplete } from 'streamdown';
import { CopyButton } from '../copying/copy-button.tsx';
import { Diagram } from '../diagram/diagram.tsx';

export function CodeBlock({ node, ...props }: ComponentProps<'pre'> & ExtraProps) {
  const isIncomplete = useIsCodeFenceIncomplete();
  const code = codeIn(node);
  if (!code) return <pre {...props} />;
  if (code.language === 'mermaid' && !isIncomplete) return <Diagram text={code.text} source={<Source {...code} />} />;
  return <Source {...code} />;
}

interface Code {
  readonly language: string;
  readonly text: string;
}

function Source({ language, text }: Code) {
  return (
    <figure className="code">
      <figcaption>
        <span>{language}</span>
        <CopyButton className="copy" label="Copy" name="Copy the code" toText={() => text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keys */}
      <pre dir="ltr" tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** Nothing where somebody has written HTML into it. */
function codeIn(node: ExtraProps['node']): Code | undefined {
  const [code, ...more] = node?.children ?? [];
  if (code?.type !== 'element' || code.tagName !== 'code' || more.length > 0) return undefined;
  const [text, ...others] = code.children;
  if (others.length > 0 || (text && text.type !== 'text')) return undefined;
  const names = Array.isArray(code.properties.className) ? code.properties.className : [];
  const language = names.map(String).find((name) => name.startsWith('language-'));
  return { language: language?.slice('language-'.length) ?? '', text: (text?.value ?? '').replace(/\n$/, '') };
}
