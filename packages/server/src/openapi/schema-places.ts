// Where the references of one user's schema lead: by pointer, by anchor, by the $id of a part.

import { isObject } from '@ai-agent/core';
import { mapSchemas, type Node } from './keywords.ts';

export interface SchemaPlace {
  readonly node: unknown;
  /** What references in it begin from. */
  readonly base: string;
  /** The last word of the way there. */
  readonly name: string;
}

const nowhere = 'http://schema.invalid/';

export class SchemaPlaces {
  readonly #bases = new Map<unknown, string>();
  /** By address, and by address and anchor. */
  readonly #named = new Map<string, Node>();

  constructor(root: Node) {
    this.#named.set(nowhere, root);
    this.#visit(root, nowhere);
  }

  get rootBase(): string {
    return nowhere;
  }

  /** The base inside a schema that may have an $id. */
  baseIn({ $id }: Node, base: string): string {
    if (typeof $id !== 'string' || $id.startsWith('#')) return base;
    return withoutFragment(URL.parse($id, base)?.href ?? base);
  }

  /** Nothing when it leads outside, or nowhere. */
  find(reference: string, base: string): SchemaPlace | undefined {
    const href = URL.parse(reference, base)?.href;
    if (href === undefined) return undefined;
    const [address = '', fragment = ''] = href.split('#', 2);
    const pointer = decoded(fragment);
    const anchored = this.#named.get(`${address}#${pointer}`);
    if (anchored) return { node: anchored, base: this.#baseOf(anchored, address), name: pointer };
    const resource = this.#named.get(address);
    return resource && (pointer === '' || pointer.startsWith('/')) ? this.#at(resource, address, pointer) : undefined;
  }

  #at(resource: Node, base: string, pointer: string): SchemaPlace | undefined {
    let node: unknown = resource;
    const steps = pointer.split('/').slice(1);
    for (const step of steps) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
      node = (node as Node)[key];
    }
    return { node, base: this.#baseOf(node, base), name: steps.at(-1) ?? '' };
  }

  #baseOf(node: unknown, fallback: string): string {
    return this.#bases.get(node) ?? fallback;
  }

  #visit(node: unknown, base: string): void {
    if (!isObject(node)) return;
    this.#bases.set(node, base);
    const inner = this.baseIn(node, base);
    if (inner !== base) this.#named.set(inner, node);
    for (const anchor of anchorsOf(node)) this.#named.set(`${inner}#${anchor}`, node);
    mapSchemas(node, (part) => this.#visit(part, inner));
  }
}

function anchorsOf({ $id, $anchor, $dynamicAnchor }: Node): readonly string[] {
  const ofDraft7 = typeof $id === 'string' && $id.startsWith('#') ? $id.slice(1) : undefined;
  return [ofDraft7, $anchor, $dynamicAnchor].filter((one): one is string => typeof one === 'string' && one !== '');
}

function withoutFragment(href: string): string {
  return href.split('#', 1)[0] ?? href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
