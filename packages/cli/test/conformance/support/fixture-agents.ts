// Agents that behave as the server suite of the protocol expects of its tools and prompts, as far as an agent can be that honestly.

import { agentFile } from '../../support/command.ts';

/** The suite sends no words: whatever it sends is taken. */
const anything = { type: 'object' };

const inputs: Readonly<Record<string, object>> = {
  test_simple_text: anything,
  test_error_handling: anything,
  test_tool_with_progress: anything,
  test_tool_with_logging: anything,
  test_logging_tool: anything,
  test_reconnection: anything,
  test_trigger_tool_change: anything,
  test_trigger_prompt_change: anything,
  test_simple_prompt: anything,
  test_prompt_with_arguments: {
    type: 'object',
    properties: { arg1: { type: 'string' }, arg2: { type: 'string' } },
    required: ['arg1', 'arg2'],
  },
  test_x_mcp_header: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  },
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: it is a word of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};

/** Those that ask a person. */
const asking = [
  'test_elicitation',
  'test_elicitation_sep1034_defaults',
  'test_elicitation_sep1330_enums',
  'test_streaming_elicitation',
  'test_input_required_result_elicitation',
  'test_input_required_result_request_state',
  'test_input_required_result_multi_round',
  'test_input_required_result_tampered_state',
];

/** Those with a colleague, so that there is something to tell while they work. */
const leading = ['test_tool_with_progress', 'test_tool_with_logging'];

/** Files by their names. The colleague is in a folder of its own: it is not served. */
export function fixtureFiles(): Record<string, string> {
  const files: Record<string, string> = {
    'team/colleague.ai': toFile('colleague', []),
    ...Object.fromEntries([changedFile(0)]),
  };
  for (const [name, schema] of Object.entries(inputs)) {
    const lines = [`input: ${JSON.stringify({ schema })}`];
    if (leading.includes(name)) lines.push('agents: ../team/colleague.ai');
    files[`agents/${name}.ai`] = toFile(name, lines);
  }
  for (const name of asking)
    files[`agents/${name}.ai`] = toFile(name, [`input: ${JSON.stringify({ schema: anything })}`, 'ask: person']);
  return files;
}

/** Another one each time: what is served has changed then, though nobody is missing. */
export function changedFile(count: number): readonly [name: string, content: string] {
  return ['agents/test_changes.ai', toFile('test_changes', [], `Has changed ${count} times`)];
}

function toFile(name: string, lines: readonly string[], description = `Is ${name}`): string {
  return agentFile(['models: local/m', `description: ${description}`, ...lines], `You are ${name}.`);
}
