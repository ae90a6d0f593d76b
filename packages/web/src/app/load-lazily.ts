// Parts of the page that are loaded when they are wanted: a server that is away for a moment is asked again.

import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** The server answers, and does not have a part of this page: it was replaced since the page was loaded. */
export class PageIsOld extends Error {}

/** Fails with `PageIsOld`. */
export function loadLazily<P>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(() => insist(load));
}

const patienceMs = 500;

/** How often a server that answers is asked for a part. */
const mostTries = 5;

async function insist<T>(load: () => Promise<T>): Promise<T> {
  let next = load;
  for (let tries = 0; ; ) {
    try {
      return await next();
    } catch (error) {
      if (await doesAnswer()) tries++;
      if (tries === mostTries) throw new PageIsOld();
      await new Promise((resolve) => setTimeout(resolve, patienceMs));
      askForStylesAgain();
      const url = urlIn(error);
      next = url === undefined ? load : () => import(/* @vite-ignore */ `${url}?again=${Date.now()}`);
    }
  }
}

/** The module that could not be imported. Browsers cache this failure by URL, so the next import needs another URL. */
function urlIn(error: unknown): string | undefined {
  return /https?:\S+\.js/.exec(String(error))?.[0];
}

async function doesAnswer(): Promise<boolean> {
  try {
    return (await fetch(new URL('.', location.href), { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** The bundler asks for a style sheet once. */
function askForStylesAgain(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (!link.sheet) link.replaceWith(link.cloneNode());
}
