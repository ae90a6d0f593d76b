// What an agent wants to know before it goes on. Words are written where everything is written; here are the choices.

import type { Conversation } from './conversation.ts';
import type { ReplyPicture } from './reply.ts';

export interface OpenQuestionProps {
  readonly conversation: Conversation;
  readonly picture: ReplyPicture;
  readonly onChosen: () => void;
}

export function OpenQuestion({ conversation, picture, onChosen }: OpenQuestionProps) {
  const { question } = picture;
  if (!question) return null;
  const form = formOf(question);
  const choose = (answer: unknown, words: string) => {
    onChosen();
    void conversation.answer(answer, words);
  };
  return (
    <fieldset className="question">
      <legend className={isSaid(picture) ? 'unseen' : 'asks'}>{question.text}</legend>
      {question.call ? <p className="call">{question.call.tool}</p> : null}
      {choicesOf(question).map(([words, answer]) => (
        <button key={words} type="button" className="choice" onClick={() => choose(answer, words)}>
          {words}
        </button>
      ))}
      {form === undefined ? null : <p className="note">Write the answer as JSON: {form}</p>}
    </fieldset>
  );
}

/** What was asked stays above its answer. */
export function PastQuestion({ picture }: Pick<OpenQuestionProps, 'picture'>) {
  return picture.question && !isSaid(picture) ? <p className="asks">{picture.question.text}</p> : null;
}

/** Some say it in their own words, and ask then. */
function isSaid({ question, text }: ReplyPicture): boolean {
  return question?.type === 'question' && text.includes(question.text);
}

/** Words, and what they mean. Who may not give leave is not told what for, and has none. */
function choicesOf({
  type,
  call,
  choices,
  schema,
}: NonNullable<ReplyPicture['question']>): readonly [string, unknown][] {
  if (type === 'approval')
    return call
      ? [
          ['Allow', true],
          ['Do not allow', false],
        ]
      : [];
  if (choices) return choices.map((choice) => [choice, choice]);
  const { enum: values, type: kind } = (schema ?? {}) as { enum?: unknown; type?: unknown };
  if (Array.isArray(values)) return values.map((value) => [String(value), value]);
  return kind === 'boolean'
    ? [
        ['Yes', true],
        ['No', false],
      ]
    : [];
}

/** What words alone do not answer: the fields that it wants. */
function formOf({ type, choices, schema }: NonNullable<ReplyPicture['question']>): string | undefined {
  if (type !== 'question' || choices || !schema) return undefined;
  if (schema.type === 'array') return '[…]';
  const { properties } = schema as { properties?: Readonly<Record<string, unknown>> };
  const names = Object.keys(properties ?? {});
  if (schema.type !== 'object' && names.length === 0) return undefined;
  return names.length === 0 ? '{…}' : `{ ${names.map((name) => `${JSON.stringify(name)}: …`).join(', ')} }`;
}
