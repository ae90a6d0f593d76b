// A question or an approval under its words: buttons to choose from, a list, or a form to open.

import type { Json, Question } from '@ai-agent/core';
import type { types } from '@slack/bolt';
import { showArguments } from '../blocks/arguments.ts';
import { limits, ours } from '../blocks/limits.ts';
import { toPlain } from '../blocks/safe-text.ts';
import { type About, actionIds, toButton } from './buttons.ts';
import { areNumbered, toNumbered, toOptions } from './options.ts';

/** What stands under a question only while it is open. */
export const hintId = 'answer_hint';

/** More choices than this are a list. */
const mostButtons = 5;

export function toQuestionBlocks(question: Question, about: About): readonly types.KnownBlock[] {
  if (question.type === 'approval') return [...toCall(question), toApproval(about)];
  const { schema } = question;
  const choices = choicesOf(question);
  if (choices.length > 0)
    return toChoices(
      choices.map(({ label }) => label),
      about,
    );
  const answer = toButton('Answer', actionIds.answer, JSON.stringify(about), 'primary');
  const isForm = schema !== undefined && (schema as { type?: unknown }).type !== 'string';
  return [toActions([answer], about), ...(isForm ? [] : [hint('Or reply in this thread.')])];
}

export interface Choice {
  readonly label: string;
  readonly answer: Json;
}

/** What may be chosen: also where a schema leaves nothing else. */
export function choicesOf({ choices = [], schema }: Question): readonly Choice[] {
  if (!schema) return choices.map((choice) => ({ label: choice, answer: choice }));
  const { enum: values, type } = schema;
  if (Array.isArray(values) && values.every((value) => typeof value === 'string' || typeof value === 'number'))
    return values.map((value) => ({ label: String(value), answer: value }));
  if (type !== 'boolean') return [];
  return [
    { label: 'Yes', answer: true },
    { label: 'No', answer: false },
  ];
}

/** What is to be allowed, as it would be called. */
function toCall({ call }: Question): readonly types.KnownBlock[] {
  if (!call) return [];
  const { text, isCut } = showArguments(call.args, mostOfCall);
  const shown: types.RichTextBlock = {
    type: 'rich_text',
    elements: [
      { type: 'rich_text_section', elements: [{ type: 'text', text: toPlain(call.tool, 200), style: { code: true } }] },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text }] },
    ],
  };
  return isCut ? [shown, cutNote] : [shown];
}

/** Inside of a `rich_text` block, beside the name of the tool. */
const mostOfCall = ours.richText - 300;

/** It has no id of its own: when the question was answered it still holds. */
const cutNote: types.ContextBlock = {
  type: 'context',
  elements: [
    {
      type: 'plain_text',
      text: 'Not all of the call is shown: the whole of it is in the file call.json.',
      emoji: false,
    },
  ],
};

/** Whether something of the call is not shown: whoever delivers the message adds the whole of it as a file. */
export function isCallCut({ call }: Question): boolean {
  return call !== undefined && showArguments(call.args, mostOfCall).isCut;
}

function toApproval(about: About): types.ActionsBlock {
  const value = JSON.stringify(about);
  const approve = toButton('Approve', actionIds.approve, value, 'primary');
  return toActions([approve, toButton('Decline', actionIds.decline, value, 'danger')], about);
}

/** With a way out: who does not want to answer ends it. */
function toActions(elements: types.ActionsBlockElement[], about: About): types.ActionsBlock {
  return { type: 'actions', elements: [...elements, toButton('Never mind', actionIds.drop, JSON.stringify(about))] };
}

/** What its list shows by numbers alone, whole, to be read beside it; undefined where it shows everything. */
export function choicesToRead(question: Question): readonly string[] | undefined {
  const choices = choicesOf(question).map(({ label }) => label);
  return choices.length <= limits.select.options && areNumbered(choices) ? toNumbered(choices) : undefined;
}

function toChoices(choices: readonly string[], about: About): readonly types.KnownBlock[] {
  const isShort = !areNumbered(choices) && choices.every((choice) => choice.trim() !== '');
  if (choices.length <= mostButtons && isShort) {
    const elements = choices.map((choice, index) =>
      toButton(
        toPlain(choice, limits.button.text),
        `${actionIds.choose}_${index}`,
        JSON.stringify({ ...about, choice: index }),
      ),
    );
    return [toActions(elements, about), hint('Or reply in this thread.')];
  }
  if (choices.length > limits.select.options)
    return [
      toActions([toButton('Answer', actionIds.answer, JSON.stringify(about), 'primary')], about),
      hint(`One of ${choices.length}. Or reply in this thread.`),
    ];
  return [
    {
      ...toActions(
        [
          {
            type: 'static_select',
            action_id: actionIds.select,
            placeholder: { type: 'plain_text', text: 'Choose one', emoji: false },
            options: toOptions(choices),
          },
        ],
        about,
      ),
      // The list has no value of its own: its block carries what it is about.
      block_id: JSON.stringify(about),
    },
    hint('Or reply in this thread.'),
  ];
}

function hint(text: string): types.ContextBlock {
  return { type: 'context', block_id: hintId, elements: [{ type: 'plain_text', text, emoji: false }] };
}
