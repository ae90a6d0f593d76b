// The promise: docs/texts.md has every sentence we say to a model, word for word; and no other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultTexts, type Failure, type Question, type Texts } from '@ai-agent/core';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../../docs/texts.md'), 'utf8');

const schema = { type: 'object' };
const failure = { class: '{class}', message: '{message}', remedy: '{remedy}' } as unknown as Failure;
const question = { text: '{question}', handle: '{handle}' } as unknown as Question;

const said = [
  { kind: 'response', agent: '{agent}', text: '{answer}' },
  { kind: 'advisory', agent: '{another agent}', text: '{advice}' },
] as const;

/** Its figures are what the sample comes to: 2048 bytes in all, of which six characters are shown. */
const kept = defaultTexts.keptOutput({ handle: '{handle}', bytes: 2048, shown: '{text}' });

const wanted = {
  plugin: '{plugin}',
  opening: '{opening}',
  closing: '{closing}',
  schema,
  instructions: '{instructions}',
  reminder: '{reminder}',
  example: '{example}',
  problems: ['{problem}', '{another problem}'],
};

/** Each text in the forms the page shows, with the names of what is filled in. */
const samples: { readonly [K in keyof Texts]: readonly string[] } = {
  dataMark: [defaultTexts.dataMark],
  jsonContract: [defaultTexts.jsonContract(schema), defaultTexts.jsonContract(undefined)],
  markdownContract: [defaultTexts.markdownContract],
  planParallel: [defaultTexts.planParallel(2)],
  mayAsk: [defaultTexts.mayAsk],
  mayShare: [defaultTexts.mayShare],
  mayHandOver: [
    defaultTexts.mayHandOver([
      { label: '{agent}', description: '{description}' },
      { label: '{another agent}', description: '{its description}' },
    ]),
  ],
  lastHandOver: [defaultTexts.lastHandOver],
  handed: [defaultTexts.handed({ nonce: '{nonce}', said, request: '{request}' })],
  saidEarlier: [
    defaultTexts.saidEarlier({ place: 'Slack', messages: ['{message}'], hasOlder: false, isCutShort: false }),
    defaultTexts.saidEarlier({ place: 'Slack', messages: ['{message}'], hasOlder: true, isCutShort: true }),
  ],
  saidBy: [
    defaultTexts.saidBy({ speaker: '{person}', text: '{text}' }),
    defaultTexts.saidBy({ speaker: '{person}', handedOnBy: '{another person}', text: '{text}' }),
  ],
  cameAlong: [
    defaultTexts.cameAlong({ file: '{file}', text: '{text}' }),
    defaultTexts.cameAlong({ file: '{file}', problem: '{problem}' }),
  ],
  wrapUp: [defaultTexts.wrapUp('{limit}'), defaultTexts.wrapUp('stop')],
  mustCall: [defaultTexts.mustCall(['{tool}', '{another tool}']), defaultTexts.mustCall(['{tool}'])],
  taskCompleted: [defaultTexts.taskCompleted],
  onlyStatus: [defaultTexts.onlyStatus(5)],
  repair: [defaultTexts.repair(['{problem}', '{another problem}'])],
  convert: [defaultTexts.convert(schema), defaultTexts.convert(undefined)],
  emptyReply: [defaultTexts.emptyReply],
  metadataContract: [defaultTexts.metadataContract([wanted])],
  metadataAgain: [defaultTexts.metadataAgain([wanted])],
  failedCall: [defaultTexts.failedCall(failure, ''), defaultTexts.failedCall(failure, '{text}')],
  partialCall: [defaultTexts.partialCall('{limit}', '{text}')],
  cutReply: [defaultTexts.cutReply],
  keptOutput: [kept],
  cutOutput: [defaultTexts.cutOutput({ bytes: 2048, head: '{head}', tail: '{tail}' })],
  readOutput: [defaultTexts.readOutput],
  outputToRead: [
    defaultTexts.outputToRead({ extract: '{extract}', text: '{text}', part: 2, parts: 3, mark: '{mark}' }),
  ],
  joinFindings: [defaultTexts.joinFindings],
  findingsToJoin: [defaultTexts.findingsToJoin({ extract: '{extract}', findings: ['{found}', '{found}'] })],
  searchOutput: [defaultTexts.searchOutput],
  outputToSearch: [defaultTexts.outputToSearch({ extract: '{extract}', characters: 4096, lines: 80 })],
  contextFull: [defaultTexts.contextFull('{text}')],
  sumUp: [defaultTexts.sumUp],
  toSumUp: [
    defaultTexts.toSumUp({ text: '{text}', part: 1, parts: 1, before: '', mark: '{mark}', words: 500 }),
    defaultTexts.toSumUp({ text: '{text}', part: 2, parts: 3, before: '{summary}', mark: '{mark}', words: 500 }),
  ],
  summedUp: [defaultTexts.summedUp('{summary}')],
  interruptedCall: [defaultTexts.interruptedCall],
  askedBack: [
    defaultTexts.askedBack(question),
    defaultTexts.askedBack({ ...question, choices: ['{choice}', '{another choice}'] }),
    defaultTexts.askedBack({ ...question, schema }),
  ],
};

const [, ...sections] = page.split(/^### /m);
const onPage = Object.fromEntries(
  sections.map((section) => [
    /^`(\w+)`/.exec(section)?.[1] ?? section,
    [...section.matchAll(/^```text\n([\s\S]*?)\n```$/gm)].map(([, text]) => text),
  ]),
);

test('the keys on the page are those of the code', () => {
  expect(Object.keys(onPage).sort()).toEqual(Object.keys(defaultTexts).sort());
});

test.each(Object.entries(samples))('%s reads on the page as it does in the code', (key, texts) => {
  expect(onPage[key]).toEqual(texts);
});
