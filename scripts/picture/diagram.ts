// How agents work together, drawn: who is asked, by whom, and whose answer it is.

export interface Diagram {
  /** In words, for whoever does not see it. */
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly note?: string;
  /** The agent whose file names the others. @default one of those */
  readonly isMain?: boolean;
  /** The request or the answer, which is no agent. */
  readonly isWord?: boolean;
}

interface Arrow {
  /** Points of a line. */
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly text?: string;
  /** Where its words stand. */
  readonly at?: readonly [x: number, y: number];
  /** A way that was not taken. */
  readonly isIdle?: boolean;
}

const ink = { plain: '#d7dce2', dim: '#8a94a3', accent: '#56c2d6', paper: '#1b1f27', box: '#252b36' };
export const boxSize = { width: 118, height: 46 } as const;

export function toSvg({ label, width, height, boxes, arrows }: Diagram): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">
<defs>${head('head', ink.dim)}${head('accent', ink.accent)}</defs>
<rect width="${width}" height="${height}" rx="8" fill="${ink.paper}"/>
<g font-family="ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif" font-size="14">
${[...arrows.map(toArrow), ...boxes.map(toBox)].join('\n')}
</g>
</svg>
`;
}

function head(id: string, fill: string): string {
  return `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0.8 L7.4 4 L0 7.2 Z" fill="${fill}"/></marker>`;
}

function toBox({ x, y, text, note, isMain = false, isWord = false }: Box): string {
  const [middle, centre] = [x + boxSize.width / 2, y + boxSize.height / 2];
  const edge = isMain ? ink.accent : ink.dim;
  const look = isWord
    ? ''
    : `<rect x="${x}" y="${y}" width="${boxSize.width}" height="${boxSize.height}" rx="7" fill="${ink.box}" stroke="${edge}" stroke-width="${isMain ? 1.8 : 1}"/>`;
  const weight = isWord ? ' font-style="italic"' : ' font-weight="600"';
  const name = `<text x="${middle}" y="${note ? centre - 3 : centre + 5}" text-anchor="middle" fill="${ink.plain}"${weight}>${text}</text>`;
  if (!note) return look + name;
  return `${look}${name}<text x="${middle}" y="${centre + 14}" text-anchor="middle" fill="${ink.dim}" font-size="12">${note}</text>`;
}

function toArrow({ points, text, at, isIdle = false }: Arrow): string {
  const path = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join(' ');
  const look = isIdle
    ? `stroke="${ink.dim}" stroke-dasharray="4 4" marker-end="url(#head)" opacity="0.65"`
    : `stroke="${ink.accent}" marker-end="url(#accent)"`;
  const line = `<path d="${path}" fill="none" stroke-width="1.5" ${look}/>`;
  if (!text || !at) return line;
  return `${line}<text x="${at[0]}" y="${at[1]}" text-anchor="middle" fill="${ink.dim}" font-size="12">${text}</text>`;
}
