// Inside of the frame of a diagram: draws what it is told with mermaid, and says how large that became.

import mermaid from 'mermaid';
import type { Colours, Report, Task } from './protocol.ts';

const parent = window.parent;
const tell = (report: Report) => parent.postMessage(report, '*');

addEventListener('message', ({ source, data }: MessageEvent<Task>) => {
  if (source === parent && data.type === 'draw') void draw(data);
});
tell({ type: 'ready' });

let number = 0;

async function draw({ text, colours }: Task): Promise<void> {
  const mine = ++number;
  // Else it would stand on a ground of its own.
  document.documentElement.style.colorScheme = isDark(colours.paper) ? 'dark' : 'light';
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme: 'base',
      look: 'classic',
      fontFamily: 'ui-sans-serif, system-ui, "Segoe UI", sans-serif',
      themeVariables: variablesOf(colours),
    });
    const { svg } = await mermaid.render(`diagram-${mine}`, text);
    if (mine !== number) return;
    document.body.innerHTML = svg;
    tell({ type: 'drawn', ...sizeOf(document.querySelector('svg')) });
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

/** As large as it was made; the page makes it smaller where there is less room. */
function sizeOf(svg: SVGSVGElement | null): { readonly width: number; readonly height: number } {
  const box = svg?.viewBox.baseVal;
  if (!svg || !box || box.width === 0) return { width: 640, height: 360 };
  svg.removeAttribute('height');
  svg.setAttribute('width', '100%');
  svg.style.maxWidth = '100%';
  return { width: Math.ceil(box.width), height: Math.ceil(box.height) };
}

function variablesOf({ paper, sunk, ink, soft, line, accent, wash }: Colours): object {
  return {
    darkMode: isDark(paper),
    background: paper,
    primaryColor: wash,
    primaryTextColor: ink,
    primaryBorderColor: accent,
    secondaryColor: sunk,
    secondaryTextColor: ink,
    secondaryBorderColor: line,
    tertiaryColor: sunk,
    tertiaryTextColor: ink,
    tertiaryBorderColor: line,
    lineColor: soft,
    textColor: ink,
    noteBkgColor: sunk,
    noteTextColor: ink,
    noteBorderColor: line,
    edgeLabelBackground: paper,
    fontSize: '14px',
    useGradient: false,
    dropShadow: '',
  };
}

function isDark(colour: string): boolean {
  const [red = 255, green = 255, blue = 255] = (colour.match(/[\da-f]{2}/gi) ?? []).map((part) =>
    Number.parseInt(part, 16),
  );
  return red * 0.3 + green * 0.6 + blue * 0.1 < 128;
}
