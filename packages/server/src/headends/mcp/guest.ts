// Whoever is on the other end of a connection: who it is, and what is known of its calls beside what the protocol says.

import type { Caller } from '../../caller.ts';
import type { Visitor } from '../../visitor.ts';

export interface Guest {
  readonly visitor: Visitor;
  /** Who calls, as the request says that brought the call of this id; a channel for everything knows it by its id alone. */
  callerOf?(request: globalThis.Request | undefined, id: string | number): Caller | undefined;
  /** Aborts when nobody waits for the call of this id any more, though nobody has cancelled it. @default never */
  lost?(id: string | number): { readonly signal: AbortSignal; done(): void };
}
