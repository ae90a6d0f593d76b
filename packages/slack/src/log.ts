// What whoever runs it is told.

export interface SlackLog {
  say(sentence: string): void;
  fail(sentence: string): void;
  detail(sentence: string): void;
  bug(error: unknown): void;
}
