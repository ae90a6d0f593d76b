// What a client of the newer revision brings back with an answer: the session that asked, which of its questions it was, and how often it was put.

export interface RequestState {
  readonly sessionId: string;
  /** How many questions of the session were answered before: an answer that comes twice is none to the next one. */
  readonly answeredBefore: number;
  /** How often it was asked. */
  readonly tries: number;
}

/** Not signed: the id of a session is as hard to guess as a key, and is held against the owner; the rest can only harm its sender. */
export function writeState({ sessionId, answeredBefore, tries }: RequestState): string {
  return `${sessionId}.${answeredBefore}.${tries}`;
}

/** Nothing when it is none of ours. */
export function readState(text: string): RequestState | undefined {
  const [, sessionId = '', answeredBefore, tries] = /^([\w-]{1,200})\.(\d{1,6})\.(\d{1,2})$/.exec(text) ?? [];
  if (sessionId === '') return undefined;
  return { sessionId, answeredBefore: Number(answeredBefore), tries: Number(tries) };
}
