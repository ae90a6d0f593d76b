// Inside of the frame of a diagram: draws what it is told with mermaid, and says how large that became.

import mermaid from 'mermaid';
import type { Colours, Report, Task } from './protocol.ts';

const parent = window.parent;
const tell = (report: Report) => parent.postMessage(report, '*');

addEventListener('message', ({ source, data }: MessageEvent<Task>) => {
  if (source === parent && data?.type === 'draw') void draw(data);
});
// A diagram can have links in it: another page in this place would look like a part of ours.
addEventListener('click', (event) => event.preventDefault(), true);
tell({ type: 'ready' });

let number = 0;

async function draw({ text, font, colours }: Task): Promise<void> {
  const mine = ++number;
  // Else it would stand on a ground of its own.
  document.documentElement.style.colorScheme = isDark(colours.paper) ? 'dark' : 'light';
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      // Labels are drawn as text: what looks like HTML in them is never any.
      htmlLabels: false,
      // The other way to lay it out is not in the page.
      layout: 'dagre',
      theme: 'base',
      look: 'classic',
      // Boxes are as wide as their words, and not all as wide as one another.
      flowchart: { minNodeWidth: 0, wrappingWidth: 200 },
      state: { minNodeWidth: 0, wrappingWidth: 200 },
      fontFamily: font,
      themeVariables: { ...variablesOf(colours), fontFamily: font },
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

function variablesOf(colours: Colours): object {
  const { paper, sunk, ink, soft, line, accent, wash } = colours;
  return {
    ...partsOf(colours),
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

/** Parts of a whole: shades of the one accent, each unlike its neighbours, on all of which ink can be read. */
function partsOf({ paper, ink, line, accent, soft }: Colours): object {
  const shades = [0.6, 0.3, 0.45, 0.18].flatMap((share) => [mix(accent, paper, share), mix(soft, paper, share * 0.7)]);
  const scale = shades.flatMap((shade, index) => [
    [`pie${index + 1}`, shade],
    [`cScale${index}`, shade],
    [`cScaleInv${index}`, line],
    [`cScaleLabel${index}`, ink],
  ]);
  return {
    ...Object.fromEntries(scale),
    pieStrokeColor: paper,
    pieOuterStrokeColor: line,
    pieOuterStrokeWidth: '1px',
    pieOpacity: '1',
    pieTitleTextSize: '16px',
    pieTitleTextColor: ink,
    pieSectionTextColor: ink,
    pieLegendTextColor: ink,
    pieSectionTextSize: '14px',
    pieLegendTextSize: '14px',
  };
}

function mix(colour: string, ground: string, share: number): string {
  const [over, under] = [partsIn(colour), partsIn(ground)];
  const mixed = over.map((part, index) => Math.round(part * share + (under[index] ?? 0) * (1 - share)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function isDark(colour: string): boolean {
  const [red = 255, green = 255, blue = 255] = partsIn(colour);
  return red * 0.3 + green * 0.6 + blue * 0.1 < 128;
}

/** Of `#rrggbb`. */
function partsIn(colour: string): readonly number[] {
  return (colour.match(/[\da-f]{2}/gi) ?? []).slice(0, 3).map((part) => Number.parseInt(part, 16));
}
