// Markdown in the page: what models write, drawn as it comes. Loaded when there is something to draw.

import { DrawnMarkdown, type MarkdownProps } from './drawn.tsx';
import './markdown.css';

export function Markdown(props: MarkdownProps) {
  return <DrawnMarkdown {...props} />;
}

export default Markdown;
