// Text as it was written, until there is more to show.

export interface MarkdownProps {
  readonly text: string;
  readonly isStreaming: boolean;
}

export default function Markdown({ text }: MarkdownProps) {
  return <p style={{ whiteSpace: 'pre-wrap', margin: 0, overflowWrap: 'anywhere' }}>{text}</p>;
}
