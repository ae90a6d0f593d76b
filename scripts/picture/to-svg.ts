// Lines of a terminal as a picture that any page can show.

import { type Cell, type Colour, textOf } from './cells.ts';

const colours: Readonly<Record<Colour, string>> = {
  plain: '#d7dce2',
  dim: '#8a94a3',
  red: '#f47067',
  green: '#6bc46d',
  yellow: '#daaa3f',
  cyan: '#56c2d6',
};

const [letterWidth, lineHeight, fontSize, margin, bar] = [8.4, 20, 14, 18, 34];

export function toSvg(lines: readonly (readonly Cell[])[]): string {
  const columns = Math.max(...lines.map((line) => textOf(line).length));
  const width = Math.ceil(columns * letterWidth + 2 * margin);
  const height = bar + lines.length * lineHeight + margin;
  const dots = ['#f47067', '#daaa3f', '#6bc46d'].map(
    (fill, i) => `<circle cx="${margin + i * 18}" cy="17" r="5.5" fill="${fill}"/>`,
  );
  const texts = lines.flatMap((line, i) => toText(line, bar + (i + 0.7) * lineHeight));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A run of ai-agent in a terminal: a lead, its researchers and their sources as a tree, then the answer and a table of what each used">
<rect width="${width}" height="${height}" rx="8" fill="#1b1f27"/>
${dots.join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}" xml:space="preserve">
${texts.join('\n')}
</g>
</svg>
`;
}

/** A stretch of one look at a time, each where its column is: fonts differ, columns do not. */
function toText(line: readonly Cell[], y: number): readonly string[] {
  const stretches: { at: number; text: string; look: Cell }[] = [];
  for (const [at, cell] of line.entries()) {
    const last = stretches.at(-1);
    const isSame = last && last.look.colour === cell.colour && last.look.isBold === cell.isBold;
    if (isSame && !(cell.text === ' ' && last.text.endsWith(' '))) last.text += cell.text;
    else stretches.push({ at, text: cell.text, look: cell });
  }
  return stretches
    .filter(({ text }) => text.trim() !== '')
    .map(({ at, text, look }) => {
      const start = text.length - text.trimStart().length;
      const seen = text.trim();
      const x = (margin + (at + start) * letterWidth).toFixed(1);
      const weight = look.isBold ? ' font-weight="bold"' : '';
      const length = ([...seen].length * letterWidth).toFixed(1);
      return `<text x="${x}" y="${y}" fill="${colours[look.colour]}"${weight} textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped(seen)}</text>`;
    });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
