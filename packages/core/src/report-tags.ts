// The tags that older prompts have models put around their final report, and around metadata beside it; read out of a text.

import { TagScanner } from './tag-scanner.ts';

/**
 * What a text says as a final report: the inside of the last wrapper that is closed, else of the last that is not. With
 * none, or nothing but blanks in them, the words around. Metadata is no part of it. A text without tags is what it is.
 */
export function readReport(text: string): string {
  if (!text.includes('ai-agent-')) return text;
  const { around, reports } = readWrappers(text);
  const report = reports.findLast(({ isClosed }) => isClosed) ?? reports.at(-1);
  if (report) return report.text;
  return around === text ? text : around.trim();
}

interface Wrapped {
  readonly text: string;
  readonly isClosed: boolean;
}

function readWrappers(text: string): { readonly around: string; readonly reports: readonly Wrapped[] } {
  const scanner = new TagScanner();
  const reports: Wrapped[] = [];
  let around = '';
  let inside: string | undefined;
  const take = (isClosed: boolean) => {
    const said = inside?.trim() ?? '';
    if (said !== '') reports.push({ text: said, isClosed });
  };
  for (const seen of [...scanner.push(text), ...scanner.end()]) {
    if (seen === 'open') {
      take(false);
      inside = '';
    } else if (seen === 'close') {
      take(true);
      inside = undefined;
    } else if (inside === undefined) around += seen.text;
    else inside += seen.text;
  }
  take(false);
  return { around, reports };
}
