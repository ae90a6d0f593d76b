// Words in place of nothing: some providers refuse a conversation that has nothing to say somewhere. Listed in docs/texts.md.

export const fillers = {
  /** A conversation that does not begin with the user. */
  beginning: '(The conversation so far.)',
  /** One that is empty. */
  nothing: 'Begin.',
  /** One that ends with the model. */
  goOn: 'Continue.',
  /** Between a result and what the user says next. */
  heard: 'Understood.',
  /** A call that failed without a word. */
  failed: 'It failed without a message.',
  /** A call whose result is nowhere. */
  noResult: 'The result of this call is not there.',
  /** A result that is nothing but files, where files cannot be in a result. */
  onlyFiles: 'The result is a file.',
  /** Before such files. */
  filesOf: (tool: string) => `Files of the result of ${tool}:`,
  /** In place of a file that the provider takes nowhere. */
  notShown: (file: string) => `[${file} is part of the result and cannot be shown to this model.]`,
} as const;
