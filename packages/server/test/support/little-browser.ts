// As much of a browser as the script of the page needs: elements that remember what was put into them.

import { runInNewContext } from 'node:vm';
import { script } from '../../src/page/script/script.ts';

export class LittleElement {
  readonly tag: string;
  readonly attributes: Record<string, string> = {};
  children: (LittleElement | string)[] = [];
  value = '';
  hidden = false;
  disabled = false;
  rows = 0;
  readonly listeners = new Map<string, (event: unknown) => void>();
  readonly classList = { add: () => {}, toggle: () => {} };

  constructor(tag: string) {
    this.tag = tag;
  }

  set textContent(text: string) {
    this.children = [text];
  }

  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('');
  }

  /** It and everything in it. */
  get all(): readonly LittleElement[] {
    return [this, ...this.children.flatMap((child) => (typeof child === 'string' ? [] : child.all))];
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
    if (name === 'hidden') this.hidden = true;
  }

  append(...children: (LittleElement | string)[]): void {
    this.children.push(...children);
  }

  replaceChildren(...children: (LittleElement | string)[]): void {
    this.children = children;
  }

  addEventListener(type: string, listener: (event: unknown) => void): void {
    this.listeners.set(type, listener);
  }

  removeEventListener(): void {}
  focus(): void {}
  scrollIntoView(): void {}

  /** As a person would: presses the button of a form. */
  submit(): void {
    this.listeners.get('submit')?.({ preventDefault: () => {} });
  }
}

type Fetch = (url: URL, init?: RequestInit) => Promise<Response>;

export interface LittlePage {
  byId(id: string): LittleElement;
  /** Settles when it holds; rejects when it does not hold after five seconds. */
  until(holds: () => boolean): Promise<void>;
}

export function openPage(fetch: Fetch, href = 'http://localhost/docs'): LittlePage {
  const elements = new Map<string, LittleElement>();
  const byId = (id: string) => {
    const known = elements.get(id) ?? new LittleElement('div');
    elements.set(id, known);
    return known;
  };
  const document = { createElement: (tag: string) => new LittleElement(tag), getElementById: byId };
  const location = { href, hash: '' };
  runInNewContext(script, { document, location, fetch, URL, TextDecoder, AbortController, Object });
  const until = async (holds: () => boolean) => {
    const end = performance.now() + 5_000;
    while (!holds()) {
      if (performance.now() > end) throw new Error('The page never came to this.');
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { byId, until };
}
