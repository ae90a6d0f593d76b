// A diagram, drawn in a frame that has no origin and reaches nobody: what a model writes is given to it as text. Where it cannot be
// drawn, its source is shown.

import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { toPlainFont } from './plain-font.ts';
import { type Drawing, readReport, type Task } from './protocol.ts';

export interface DiagramProps {
  /** In the language of mermaid. */
  readonly text: string;
  /** The text as it is shown to people. */
  readonly source: ReactNode;
}

type State = { readonly is: 'away' | 'drawing' } | ({ readonly is: 'drawn' } & Drawing) | { readonly is: 'failed' };

/** A page may not be allowed to have our frame in it. */
const patienceMs = 20_000;

export function Diagram({ text, source }: DiagramProps) {
  const [place, isNear] = useNearness();
  const [isSourceShown, showSource] = useState(false);
  const [state, setState] = useState<State>({ is: 'away' });
  const frame = useRef<HTMLIFrameElement>(null);
  useDrawing(frame, { text, isWanted: isNear }, setState);
  if (state.is === 'failed')
    return (
      <div className="diagram" ref={place}>
        {source}
        <p className="diagram-problem">This diagram cannot be drawn; above is what it was to be made of.</p>
      </div>
    );
  const isDrawn = state.is === 'drawn';
  const size = isDrawn ? sizeOf(state) : {};
  return (
    <figure className="diagram" ref={place} data-state={state.is}>
      <div className="diagram-box" hidden={isDrawn && isSourceShown}>
        {isNear ? (
          <iframe ref={frame} title="Diagram" sandbox="allow-scripts" src={address} style={size} tabIndex={-1} />
        ) : null}
      </div>
      {isSourceShown || !isDrawn ? source : null}
      <figcaption>
        {isDrawn ? (
          <button type="button" className="copy" onClick={() => showSource(!isSourceShown)}>
            {isSourceShown ? 'Show the diagram' : 'Show the source'}
          </button>
        ) : (
          'Drawing…'
        )}
      </figcaption>
    </figure>
  );
}

/** As large as it was made, or as there is room, but never so small that nobody can read it: then it scrolls. */
function sizeOf({ width, height }: Drawing): CSSProperties {
  return { aspectRatio: `${width} / ${height}`, maxWidth: width, minWidth: Math.round(width * 0.5) };
}

// Beside the folder of scripts, wherever that is. Bundlers would take an address that is written out for a file to be bundled.
const here = import.meta.url;
const address = new URL('../diagram.html', here).href;

/** Once it is near to what can be seen, it stays. */
function useNearness(): [(element: HTMLElement | null) => void, boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element || isNear) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '400px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, isNear]);
  return [setElement, isNear];
}

interface Wanted {
  readonly text: string;
  readonly isWanted: boolean;
}

/** The frame says when it is there, is told what to draw, again when the colours change, and says what came of it. */
function useDrawing(
  frame: { readonly current: HTMLIFrameElement | null },
  { text, isWanted }: Wanted,
  setState: (state: State) => void,
): void {
  useEffect(() => {
    if (!isWanted) return;
    setState({ is: 'drawing' });
    const impatience = setTimeout(() => setState({ is: 'failed' }), patienceMs);
    const send = () => frame.current?.contentWindow?.postMessage(taskOf(frame.current, text), '*');
    const hear = (event: MessageEvent) => {
      // Its origin says nothing, since it has none: what counts is that it is this very frame.
      if (event.source !== frame.current?.contentWindow) return;
      const report = readReport(event.data);
      if (!report) return;
      if (report.type === 'ready') return send();
      clearTimeout(impatience);
      setState(
        report.type === 'drawn' ? { is: 'drawn', width: report.width, height: report.height } : { is: 'failed' },
      );
    };
    const dark = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('message', hear);
    dark.addEventListener('change', send);
    // It may have been there before.
    send();
    return () => {
      clearTimeout(impatience);
      removeEventListener('message', hear);
      dark.removeEventListener('change', send);
    };
  }, [frame, text, isWanted, setState]);
}

/** The colours and the typeface that are in force where it stands. */
function taskOf(element: HTMLElement, text: string): Task {
  const style = getComputedStyle(element);
  const colourOf = (name: string) => toPlainColour(element, style.getPropertyValue(`--${name}`));
  return {
    type: 'draw',
    text,
    font: toPlainFont(style.fontFamily),
    colours: {
      paper: colourOf('paper'),
      sunk: colourOf('paper-sunk'),
      ink: colourOf('ink'),
      soft: colourOf('ink-soft'),
      line: colourOf('line-strong'),
      accent: colourOf('accent'),
      wash: colourOf('accent-wash'),
    },
  };
}

/** However it is written, as six digits: what draws it knows few ways to write a colour. Each is what it is where it stands. */
function toPlainColour(element: HTMLElement, value: string): string {
  const before = element.style.color;
  element.style.color = value;
  const resolved = getComputedStyle(element).color;
  element.style.color = before;
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  if (!canvas) return resolved;
  canvas.fillStyle = resolved;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
