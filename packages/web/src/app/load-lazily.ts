// Parts of the page that are loaded when they are wanted: a server that is away for a moment is asked again.

import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export function loadLazily<P>(load: () => Promise<{ default: ComponentType<P> }>): LazyExoticComponent<ComponentType<P>> {
  return lazy(() => insist(load));
}

const patienceMs = 1_000;

async function insist<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, patienceMs));
      askForStylesAgain();
    }
  }
}

/** The bundler asks for a style sheet once. */
function askForStylesAgain(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (!link.sheet) link.replaceWith(link.cloneNode());
}
