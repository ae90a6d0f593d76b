// The model of the fixture agents: says and asks what the suite expects of the agent that speaks.

import type { ModelRequest } from '@ai-agent/cli';
import type { Script, Step } from '@ai-agent/cli/testing';

export interface FixtureModelOptions {
  /** Changes what is served. */
  readonly change: () => void;
}

export const fixtureModel =
  ({ change }: FixtureModelOptions): Script =>
  (request) => {
    const name = nameOf(request);
    if (name.startsWith('test_trigger')) change();
    const results = request.messages.filter(({ role }) => role === 'tool').length;
    if (name === 'test_error_handling')
      return { fail: { code: 'model-refusal', message: 'This tool intentionally returns an error for testing' } };
    if (name.startsWith('test_tool_with') && results === 0) return callColleague(request);
    const question = questions[name]?.[results];
    if (question) return { calls: [{ name: 'ask_user', input: question }] };
    return `This is a simple text response for testing, by ${name}.`;
  };

function nameOf({ system }: ModelRequest): string {
  return /You are (\w+)\./.exec(system)?.[1] ?? '';
}

function callColleague({ tools }: ModelRequest): Step {
  const name = tools.find((tool) => tool.name.includes('colleague'))?.name ?? '';
  return { calls: [{ name, input: { reason: 'a part of it', text: 'Do your part.' } }] };
}

interface Asking {
  readonly question: string;
  readonly schema?: object;
}

const form = (question: string, properties: object): Asking => ({
  question,
  schema: { type: 'object', properties, required: Object.keys(properties) },
});

const titled = (words: readonly string[]) => words.map((word, i) => ({ const: `value${i + 1}`, title: word }));
const choices = ['option1', 'option2', 'option3'];

const enums = {
  untitledSingle: { type: 'string', enum: choices },
  titledSingle: { type: 'string', oneOf: titled(['First Option', 'Second Option', 'Third Option']) },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: choices } },
  titledMulti: { type: 'array', items: { anyOf: titled(['First Choice', 'Second Choice', 'Third Choice']) } },
};

const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const text = { type: 'string' };

/** What an agent asks, one after the other. */
const questions: Readonly<Record<string, readonly Asking[]>> = {
  test_elicitation: [form('Please provide your information', { username: text, email: text })],
  test_elicitation_sep1034_defaults: [form('Please review', defaults)],
  test_elicitation_sep1330_enums: [form('Please choose', enums)],
  test_streaming_elicitation: [{ question: 'What is your name?' }],
  test_input_required_result_elicitation: [form('What is your name?', { name: text })],
  test_input_required_result_request_state: [form('Please confirm', { ok: { type: 'boolean' } })],
  test_input_required_result_multi_round: [
    form('Step 1: What is your name?', { name: text }),
    form('Step 2: What is your favorite color?', { color: text }),
  ],
  test_input_required_result_tampered_state: [form('Please confirm', { ok: { type: 'boolean' } })],
};
