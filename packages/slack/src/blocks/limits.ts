// How much Slack takes: the numbers its reference gives, and below them those of our own that are stricter.

/** Lengths are in UTF-16 units, as JavaScript counts them: Slack counts characters, of which there are never more. */
export const limits = {
  message: { blocks: 50, tables: 1 },
  header: { text: 150 },
  button: { text: 75 },
  blockId: 255,
  url: 3_000,
  table: { rows: 100, columns: 20, characters: 10_000 },
  list: { indent: 8 },
  input: { plainText: 3_000, hint: 2_000 },
  select: { options: 100, optionText: 75 },
} as const;

export const ours = {
  /** Notifications show less, and it is kept in every message beside its blocks. */
  messageText: 3_000,
  /** Nothing is documented for `rich_text`; a section takes 3,000, and what is refused there is refused here by some clients. */
  richText: 2_900,
  /** A block with many links is heavy before it is long: two of them must find place in a message. */
  richTextWeight: 5_000,
  /** `msg_blocks_too_long` comes at about 13,000, and what stands around the words counts there too, in a way Slack does not tell. */
  messageWeight: 11_000,
  /** What is counted for a block and for an element in it, whatever they say. */
  blockWeight: 100,
  elementWeight: 20,
  /** What buttons and footers at the end of the last message may count for at most, and how many blocks it may have. */
  tailWeight: 3_000,
  tailBlocks: 5,
  /** More messages would fill a thread that people want to read. */
  messages: 10,
  /** What is looked at: no ten messages hold more. */
  source: 200_000,
  /** What an edit shows of a text that is still being written. */
  draft: 2_800,
  /** Quotes in lists in quotes: what is deeper is shown without its form. */
  depth: 16,
} as const;
