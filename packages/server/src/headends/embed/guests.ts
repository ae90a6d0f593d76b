// Who chats: visitors of pages, each by the id that their client has, under the rules of the port that they came by.

import { randomUUID } from 'node:crypto';
import { AgentError, toMatcher } from '@ai-agent/core';
import { visitorAddressOf } from '../../address.ts';
import type { Hall } from '../../hall.ts';
import { Rate } from '../../rates.ts';
import { Shares } from '../../shares.ts';
import type { Visitor } from '../../visitor.ts';

/** A port of its own, as a configuration has it. */
export interface EmbedProfile {
  /** Its runs have the places `embed:<name>`. */
  readonly name: string;
  /** Agents that may be chatted with, by name or glob. @default the first that is served, alone */
  readonly agents?: readonly string[] | undefined;
  /** Chats in a minute, and how many of those at once. From 1. @default any number */
  readonly rate?: { readonly perMinute: number; readonly burst?: number | undefined } | undefined;
  /** Where figures for Prometheus are read, without a key. @default nowhere */
  readonly metricsPath?: string | undefined;
}

/** As the client is told who it is. */
export interface Client {
  readonly clientId: string;
  readonly isNew: boolean;
}

export class Guests {
  readonly #hall: Hall;
  readonly #profile: EmbedProfile | undefined;
  readonly #rate: Rate | undefined;
  readonly #shares: Shares | undefined;

  constructor(hall: Hall, profile: EmbedProfile | undefined) {
    this.#hall = hall;
    this.#profile = profile;
    const { perMinute, burst } = profile?.rate ?? {};
    const now = () => hall.clock.now();
    this.#rate = perMinute === undefined ? undefined : new Rate(perMinute, now, { who: 'This port', burst });
    this.#shares = perMinute === undefined ? undefined : new Shares(perMinute, now);
  }

  /** What they have started belongs to their id: no other visitor reads it. */
  meet(visitor: Visitor, request: Request, clientId: string | undefined): { visitor: Visitor; client: Client } {
    const { key, user = clientId ?? randomUUID() } = visitor;
    const isNew = visitor.user === undefined && clientId === undefined;
    const address = this.#shares && visitorAddressOf(request);
    const guest: Visitor = {
      ...visitor,
      key,
      user,
      isOfPage: true,
      may: this.#mayCall(visitor),
      admit: () => {
        if (address !== undefined) this.#shares?.take(address);
        this.#rate?.take();
        visitor.admit?.();
      },
    };
    return { visitor: guest, client: { clientId: user, isNew } };
  }

  #mayCall(visitor: Visitor): Visitor['may'] {
    if (!this.#profile) return (name) => visitor.may(name);
    const { agents } = this.#profile;
    const [first] = this.#hall.agentsFor(visitor);
    const isMeant = agents ? toMatcher(agents) : (name: string) => name === first?.name;
    return (name) => isMeant(name) && visitor.may(name);
  }
}

/** Throws `request-invalid`. */
export function checkClientId(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given)) return given;
  throw new AgentError('request-invalid', 'clientId must have from 1 to 200 letters, digits and signs.');
}
