// A request read by its grammar alone: what is to be made, about what, and what it says about that.

import { capitalize, contentWords, cut, listed, sentencesOf } from './sentences.ts';

export interface Brief {
  /** `release note`, `support FAQ`: what is asked for, without articles. */
  readonly products: readonly string[];
  /** `for version 2.4` */
  readonly about: string;
  /** `adds offline mode`, said of the topic. */
  readonly facts: readonly string[];
}

const orders =
  'answer|analy[sz]e|add|ask|brief|build|calculate|check|collect|compare|compose|compute|create|define|describe|design|' +
  'draft|evaluate|explain|extract|find|generate|give|help|how about|investigate|keep|let|list|look|make|name|outline|' +
  'plan|please|prepare|produce|propose|provide|recommend|report|research|review|rewrite|say|search|send|show|suggest|' +
  'summari[sz]e|tell|translate|try|use|write';

/** Tells somebody what to do, and says nothing about the world. */
export function isOrder(sentence: string): boolean {
  return new RegExp(`^(?:(?:can|could|would|will) you |please )*(?:${orders})\\b`, 'i').test(sentence);
}

const made =
  /^(?:(?:can|could|would|will) you |please )*(?:write|draft|prepare|create|compose|produce|make|generate|give|plan)(?: me| us)? (.+?) (for|about|on|of|to) (.+?)(?:,? (?:which|that|who) (.+?))?[.!?]*$/i;

/** Reads the beginning only: what a request is about is said early, and the pattern is not made for long texts. */
export function readBrief(request: string): Brief | undefined {
  const parts = made.exec(sentencesOf(request.slice(0, 500))[0] ?? '');
  if (!parts) return undefined;
  const [, products = '', link = '', topic = '', said = ''] = parts;
  return {
    products: toParts(products).map((product) => product.replace(/^(?:an?|the|some|one|both) /i, '')),
    about: `${link} ${topic}`,
    facts: toParts(said),
  };
}

/** The products that belong to whoever was instructed like this; all of them when that is not to be seen. */
export function productsFor(instructions: string, { products }: Brief): readonly string[] {
  const role = new Set(contentWords(instructions));
  const counts = products.map((product) => contentWords(product).filter((word) => role.has(word)).length);
  const most = Math.max(...counts);
  return most === 0 ? products : products.filter((_, i) => counts[i] === most);
}

/** Each thing said of the topic, as a sentence of its own. */
export function factsOf(brief: Brief): readonly string[] {
  return brief.facts.map((fact) => `${capitalize(topicOf(brief))} ${fact}.`);
}

export function topicOf({ about }: Brief): string {
  return about.replace(/^\w+ /, '');
}

/** The task in a few words, for a title. */
export function headingOf(request: string): string {
  const brief = readBrief(request);
  if (brief) return cut(capitalize(`${listed(brief.products)} ${brief.about}`), 90);
  const [first = 'Nothing was asked'] = sentencesOf(request);
  return cut(capitalize(first.replace(/[.:;!]+$/, '')), 90);
}

function toParts(text: string): readonly string[] {
  return text.split(/,? and |, /).filter((part) => part.trim() !== '');
}
