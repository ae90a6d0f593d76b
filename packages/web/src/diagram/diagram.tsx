// A diagram, drawn in a frame that has no origin and reaches nobody: what a model writes is given to it as text. Where it cannot be
// drawn, its source is shown.

import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
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
  const size = state.is === 'drawn' ? sizeOf(state) : {};
  return (
    <figure className="diagram" ref={place} data-state={state.is}>
      <div className="diagram-box" hidden={isSourceShown}>
        {isNear ? (
          <iframe ref={frame} title="Diagram" sandbox="allow-scripts" src={address} style={size} tabIndex={-1} />
        ) : null}
      </div>
      {isSourceShown ? source : null}
      <figcaption>
        <button type="button" className="copy" onClick={() => showSource(!isSourceShown)}>
          {isSourceShown ? 'Show the diagram' : 'Show the source'}
        </button>
      </figcaption>
    </figure>
  );
}

/** As large as it was made, or as there is room, but never so small that nobody can read it: then it scrolls. */
function sizeOf({ width, height }: Drawing): CSSProperties {
  return { aspectRatio: `${width} / ${height}`, maxWidth: width, minWidth: Math.round(width * 0.6) };
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

/** The colours that are in force where it stands. */
function taskOf(element: HTMLElement, text: string): Task {
  const style = getComputedStyle(element);
  const colourOf = (name: string) => toPlainColour(element, style.getPropertyValue(`--${name}`));
  return {
    type: 'draw',
    text,
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

/** Mermaid calculates with colours, and knows only the plain ways to write one. */
function toPlainColour(element: HTMLElement, value: string): string {
  const context = document.createElement('canvas').getContext('2d');
  const before = element.style.color;
  element.style.color = value;
  const resolved = getComputedStyle(element).color;
  element.style.color = before;
  if (!context) return resolved;
  context.fillStyle = resolved;
  context.fillRect(0, 0, 1, 1);
  // What is mixed of others stays written as that; a pixel has nothing but its parts.
  const parts = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
