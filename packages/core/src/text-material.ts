// What the sentences to a model are made of, each by the name of its text.

import type { JsonSchema } from './json.ts';

/** What one plugin wants to be told beside the report. */
export interface WantedMetadata {
  readonly plugin: string;
  /** The tags between which the metadata stands. */
  readonly opening: string;
  readonly closing: string;
  readonly schema: JsonSchema;
  /** The plugin's own words; empty where it has none. */
  readonly instructions: string;
  readonly reminder: string;
  readonly example: string;
  /** What was wrong; nothing before anything was said. */
  readonly problems: readonly string[];
}

export interface Destination {
  readonly label: string;
  readonly description: string;
}

export interface Handed {
  /** Part of every tag: what models and people write cannot end one. */
  readonly nonce: string;
  readonly said: readonly Said[];
  /** What was asked in the first place. */
  readonly request: string;
}

/** What another agent said of a request before: advice, or an answer that is gone on from. */
export interface Said {
  readonly kind: 'advisory' | 'response';
  /** By its label. */
  readonly agent: string;
  readonly text: string;
}

export interface KeptOutput {
  readonly handle: string;
  readonly bytes: number;
  /** The head that fits. */
  readonly shown: string;
}

export interface CutOutput {
  readonly bytes: number;
  readonly head: string;
  readonly tail: string;
}

export interface OutputToRead {
  /** What is looked for. */
  readonly extract: string;
  readonly text: string;
  /** Which part it is, from 1. */
  readonly part: number;
  readonly parts: number;
  /** Sets the data apart; made from it, so that no fixed word in it ends it early. */
  readonly mark: string;
}

export interface FindingsToJoin {
  readonly extract: string;
  /** Of each part, in order. */
  readonly findings: readonly string[];
}

export interface PartToSumUp {
  /** The conversation, or a part of it, in words. */
  readonly text: string;
  /** Which part it is, from 1. */
  readonly part: number;
  readonly parts: number;
  /** The summary of the parts before; empty for the first. */
  readonly before: string;
  /** Sets the conversation apart; made from it. */
  readonly mark: string;
  /** About how many words the summary may have. */
  readonly words: number;
}

export interface OutputToSearch {
  readonly extract: string;
  readonly characters: number;
  readonly lines: number;
}

export interface SaidEarlier {
  /** `Slack` */
  readonly place: string;
  /** The oldest first: when, who and what. */
  readonly messages: readonly string[];
  /** Whether older ones are left out. */
  readonly hasOlder: boolean;
  /** Whether there is more that could not be had. */
  readonly isCutShort: boolean;
}

export interface SaidBy {
  readonly speaker: string;
  /** Who asks with the words of another. @default the speaker asks */
  readonly handedOnBy?: string | undefined;
  readonly text: string;
}

/** One of `text` and `problem` is there. */
export interface CameAlong {
  /** `notes.txt (text/plain, 2.1 kB)` */
  readonly file: string;
  /** What it says, fenced. */
  readonly text?: string | undefined;
  /** `is too large to be read` */
  readonly problem?: string | undefined;
}
