// A document, read once: its operations under names of their own, and what a call of each looks like.

import { ownSchema, toSafeName } from '@ai-agent/core';
import { type CallShape, toCallShape } from './call-shape.ts';
import type { Node } from './document.ts';
import { type Operation, operationsOf, type Parameter } from './operations.ts';
import { RequestSchemas } from './request-schema.ts';
import { type Schemes, schemesOf } from './security.ts';

/** Shared by every session that names the document. */
export class Api {
  readonly operations: readonly Operation[];
  readonly schemes: Schemes;
  /** Of the whole document. */
  readonly servers: readonly unknown[];
  readonly #document: Node;
  readonly #schemas: RequestSchemas;
  /** By what of the parameters is asked for. */
  readonly #shapes = new Map<Operation, Map<string, CallShape>>();

  constructor(document: Node) {
    this.#document = document;
    this.#schemas = new RequestSchemas(document);
    this.operations = operationsOf(document);
    this.schemes = schemesOf(document);
    this.servers = Array.isArray(document.servers) ? document.servers : [];
  }

  /**
   * The same for every session that fills the same parameters with its keys. Schemas are known to be good: only what is good goes into
   * them.
   */
  shapeOf(operation: Operation, isFilled: (parameter: Parameter) => boolean = () => false): CallShape {
    const parameters = operation.parameters.filter((parameter) => !isFilled(parameter));
    const key = parameters.map(({ in: place, name }) => `${place} ${name}`).join('\n');
    const shapes = this.#shapes.get(operation) ?? new Map<string, CallShape>();
    this.#shapes.set(operation, shapes);
    const known = shapes.get(key);
    if (known) return known;
    const shape = toCallShape({ ...operation, parameters }, this.#schemas, this.#document);
    // Compiling thousands of schemas before anybody calls would take longer than everything else.
    ownSchema(shape.inputSchema);
    shapes.set(key, shape);
    return shape;
  }

  /** Names of tools by operation. Two that would come out the same get a number, whoever else is left out. */
  namesFor(prefix: string): ReadonlyMap<Operation, string> {
    const names = new Map<Operation, string>();
    const taken = new Set<string>();
    for (const operation of this.operations) {
      let name = `${prefix}${operation.name}`;
      for (let next = 2; taken.has(toSafeName(name)); next++) name = `${prefix}${operation.name}_${next}`;
      taken.add(toSafeName(name));
      names.set(operation, name);
    }
    return names;
  }
}
