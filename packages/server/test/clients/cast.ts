// The agents that clients talk with: each of a kind that clients may meet, and all of them without memory of their own.

import { type Agent, asTool, defineTool, type ModelRequest, type ToolOffer } from '@ai-agent/core';
import type { ScriptedModel, Step } from '@ai-agent/core/testing';
import { agentOf, lastResult, lookUp } from '../contract/people.ts';

/** Says how much of the conversation it has heard, and the last of it. */
export const teller = (): Agent =>
  agentOf('teller', ({ messages }) => ({
    text: `Message ${messages.length}: ${lastWords(messages)}`,
    usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 64 },
  }));

export const thinker = (): Agent =>
  agentOf('thinker', () => ({
    reasoning: 'Six times seven, hm.',
    text: 'Forty-two.',
    usage: { inputTokens: 30, outputTokens: 12, reasoningTokens: 7 },
  }));

/** Has a tool and an agent of its own. Where the client has tools for weather and people, it needs those too. */
export function lead(): Agent {
  const scout = agentOf('scout', () => 'The road is free.');
  return agentOf('lead', leadStep, { tools: [lookUp, asTool(scout) as ToolOffer] });
}

/** Its own tool and two calls of the client at once, then its own agent, then the client once more, then all that came. */
function leadStep({ messages, tools }: ModelRequest): Step {
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.content.map(toWords)] : []));
  const isOffered = (name: string) => tools.some((tool) => tool.name === name);
  const steps: readonly Step[] = [
    {
      text: isOffered('weather') ? 'I will look. ' : '',
      calls: [
        { name: 'look_up', input: {} },
        ...(isOffered('weather') ? ['Delphi', 'Thebes'].map((city) => ({ name: 'weather', input: { city } })) : []),
      ],
    },
    { calls: [{ name: 'scout', input: { text: 'go', reason: 'because' } }] },
    ...(isOffered('people') ? [{ calls: [{ name: 'people', input: { city: 'Delphi' } }] }] : []),
  ];
  return steps[results.length] ?? { text: `I know: ${results.flat().join(' | ')}.` };
}

function toWords({ text }: { readonly text: string }): string {
  return /The road is free/.test(text) ? 'The road is free' : text;
}

/** What the lead knows when it has asked everybody. */
export const ownKnowledge = 'I know: forty-two | The road is free.';

export function knowledge(weather: readonly [string, string], people: string): string {
  return `I know: forty-two | ${weather.join(' | ')} | The road is free | ${people}.`;
}

/** Asks back, and then knows. */
export const curious = (): Agent =>
  agentOf(
    'curious',
    (request) => {
      const answer = lastResult(request);
      const ask = { name: 'ask_user', input: { question: 'Which year?', choices: ['1999', '2024'] } };
      return answer ? `The year is ${answer}.` : { calls: [ask] };
    },
    { ask: 'person' },
  );

export const citySchema = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
  additionalProperties: false,
} as const;

/** Gives JSON by a contract of its own. */
export const clerk = (): Agent =>
  agentOf('clerk', () => '{"city":"Delphi","people":767}', { output: { format: 'json', schema: citySchema } });

/** Gives JSON to who asks for it, calls what must be called, and says words to others. */
export const scribe = (): Agent =>
  agentOf('scribe', ({ output, tools, system }) => {
    const thebes = { city: 'Thebes', people: 36_477 };
    const wanted = /call the tool (\w+)\.$/.exec(system)?.[1];
    if (output.format === 'json') return JSON.stringify(thebes);
    return tools.some(({ name }) => name === wanted) ? { calls: [{ name: String(wanted), input: thebes }] } : 'Thebes.';
  });

/** Its replies are cut. */
export const windbag = (): Agent =>
  agentOf('windbag', () => ({ text: 'And then, and then', finishReason: 'length' }), { limits: { maxRetries: 1 } });

/** Its provider fails: it would be of use to try again, or not. */
export const busy = (): Agent =>
  agentOf('busy', () => ({ fail: { code: 'model-unavailable' } }), { limits: { maxRetries: 1 } });
export const broke = (): Agent =>
  agentOf('broke', () => ({ fail: { code: 'model-auth' } }), { limits: { maxRetries: 1 } });

/** Its provider breaks off in the middle of what it says. */
export const faint = (): Agent =>
  agentOf('faint', () => ({ text: 'And then, and then', cutAfter: 2 }), { limits: { maxRetries: 1 } });

export interface Sleeper {
  readonly agent: Agent;
  /** When its tool has begun. */
  readonly begun: Promise<void>;
  /** When its tool was told to end. */
  readonly ended: Promise<void>;
}

/** Thinks a moment, and works until nobody waits for it any more. */
export function sleeper(name = 'sleeper'): Sleeper {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const sleep = defineTool({
    name: 'sleep',
    description: 'sleeps',
    inputSchema: { type: 'object' },
    execute: (_args, { signal }) => {
      begun.resolve();
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          ended.resolve();
          resolve('awake');
        });
      });
    },
  });
  const agent = agentOf(name, () => ({ reasoning: 'How late it is.', calls: [{ name: 'sleep', input: {} }] }), {
    tools: [sleep],
  });
  return { agent, begun: begun.promise, ended: ended.promise };
}

/** Everybody who needs nothing of a test. */
export const cast = (): readonly Agent[] => [
  ...[teller(), thinker(), lead(), curious(), clerk(), scribe()],
  ...[windbag(), busy(), broke(), faint()],
];

/** What the model of an agent was asked last. */
export function lastRequest(agent: Agent | undefined): ModelRequest | undefined {
  return (agent?.model as ScriptedModel | undefined)?.requests.at(-1);
}

function lastWords(messages: ModelRequest['messages']): string {
  const last = messages.at(-1);
  if (last?.role !== 'user') return '';
  return last.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join(' ');
}
