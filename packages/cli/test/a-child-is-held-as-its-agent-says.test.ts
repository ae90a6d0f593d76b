// A child is held as its agent says: fresh for every call, one conversation that goes on, or fresh on prepared sources.

import { type Agent, ask, asTool, defineTool, type Middleware, type ToolSourceFactory } from '@ai-agent/cli';
import type { Script, Step } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { anyArguments, call, promptIn, resultsIn } from './support/calls.ts';
import { type Door, throughEveryDoor } from './support/doors.ts';

throughEveryDoor('a child is held as its agent says', (door: Door) => {
  const { runtime } = door;

  /** Calls as it is told, one list per turn; its answer is all results. */
  const lead = (turns: readonly Step['calls'][], child: Agent, more: Partial<Agent> = {}) => {
    const seen: string[] = [];
    const script: Script = (request, number) => {
      seen.push(...resultsIn(request));
      const calls = turns[number - 1];
      return calls ? { calls } : seen.join('; ');
    };
    return door.agent('lead', script, { ...more, tools: [asTool(child), ...(more.tools ?? [])] });
  };
  const ask1 = (text: string) => call('child', { text });
  /** Says everything it was ever asked. */
  const remembering: Script = ({ messages }) =>
    messages
      .flatMap((message) => (message.role === 'user' ? message.content : []))
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('+');

  test('fresh, which is the default: every call begins anew', async () => {
    const child = await door.agent('child', remembering);
    const agent = await lead([[ask1('a'), ask1('b')], [ask1('c')]], child);
    expect((await ask(agent, 'go', { runtime })).text).toBe('a; b; c');
  });

  test('kept: calls of one turn go on from each other in order, and so do those of later turns', async () => {
    const child = await door.agent('child', remembering, { hold: 'kept' });
    const outcome = await ask(await lead([[ask1('a'), ask1('b')], [ask1('c')]], child), 'go', { runtime });
    expect(outcome.text).toBe('a; a+b; a+b+c');
  });

  test('kept: whoever is beside it runs meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const execute = () => {
      resolve();
      return 'other';
    };
    const other = defineTool({ name: 'other', inputSchema: anyArguments, execute });
    const child = await door.agent(
      'child',
      (request) => (promptIn(request) === 'a' && request.messages.length === 1 ? { text: 'x', until: promise } : 'y'),
      { hold: 'kept' },
    );
    const agent = await lead([[ask1('a'), ask1('b'), { name: 'other' }]], child, {
      tools: [other],
      limits: { maxParallel: 2 },
    });
    expect((await ask(agent, 'go', { runtime })).text).toBe('x; y; other');
  });

  test('kept: it goes on after a call that failed, was stopped, or was refused', async () => {
    const look = defineTool({ name: 'look', inputSchema: anyArguments, execute: () => 'seen' });
    const child = await door.agent(
      'child',
      (request) => {
        const text = String(remembering(request, 1));
        if (request.tools.length === 0) return 'cut short';
        if (text.endsWith('fail')) return { fail: { code: 'model-request-refused' } };
        return text.endsWith('limit') ? { calls: [{ name: 'look' }] } : text;
      },
      { hold: 'kept', tools: [look], limits: { maxTurns: 2 } },
    );
    const turns = [
      [ask1('a')],
      [ask1('fail')],
      [ask1('limit')],
      [{ name: 'child', input: { no: 'reason' } }],
      [ask1('b')],
    ];
    const outcome = await ask(await lead(turns, child), 'go', { runtime });
    expect(outcome.text.split('; ').at(-1)).toMatch(/^a\+fail\+limit\+The limit maxTurns is reached.*\+b$/);
  });

  test('kept: a call that never began is passed over by the next', async () => {
    const child = await door.agent('child', remembering, { hold: 'kept' });
    const perform = {
      tool: async (work, next) => (work.call.turn === 2 ? { status: 'ok', text: 'not now' } : next(work)),
    } satisfies Middleware['perform'];
    const agent = await lead([[ask1('a')], [ask1('b')], [ask1('c')]], child, { middleware: [{ name: 'm', perform }] });
    expect((await ask(agent, 'go', { runtime })).text).toBe('a; not now; a+c');
  });

  test('kept: two parents have two conversations, and so have two runs', async () => {
    const child = await door.agent('child', remembering, { hold: 'kept' });
    const middle = await door.agent(
      'middle',
      (request) => resultsIn(request)[0] ?? { calls: [ask1(promptIn(request))] },
      { tools: [asTool(child)] },
    );
    const top = await door.agent(
      'top',
      (request) => {
        const results = resultsIn(request);
        return results.length > 0 ? results.join('; ') : { calls: ['a', 'b'].map((text) => call('middle', { text })) };
      },
      { tools: [asTool(middle)] },
    );
    for (let i = 0; i < 2; i++) expect((await ask(top, 'go', { runtime })).text).toBe('a; b');
  });

  test('kept: a question of it can be answered, and the next call knows all of it', async () => {
    const child = await door.agent(
      'child',
      (request) =>
        resultsIn(request)[0] ??
        (request.messages.length === 1
          ? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }
          : JSON.stringify(request.messages.map(({ role }) => role))),
      { hold: 'kept', ask: 'caller' },
    );
    const agent = await door.agent(
      'lead',
      (request, number) => {
        const [result = ''] = resultsIn(request);
        const resume = /"resume": "([^"]+)"/.exec(result)?.[1];
        if (resume) return { calls: [call('child', { resume, answer: 'this' })] };
        return number > 3 ? result : { calls: [ask1('x')] };
      },
      { tools: [asTool(child)] },
    );
    const { text } = await ask(agent, 'go', { runtime });
    expect(JSON.parse(text)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  /** A source that counts its lives. */
  const counting = (broken?: number) => {
    const lives = { made: 0, closed: 0 };
    const source: ToolSourceFactory = () => {
      const mine = ++lives.made;
      return {
        list: () => {
          if (mine === broken) throw new TypeError(`source ${mine} is broken`);
          return [defineTool({ name: 'which', inputSchema: anyArguments, execute: () => `source ${mine}` })];
        },
        close: () => void lives.closed++,
      };
    };
    return { lives, source };
  };
  const using: Script = (request) =>
    resultsIn(request)[0] ? `${resultsIn(request)[0]} ${request.messages.length}` : { calls: [{ name: 'which' }] };

  test('pool: sources are used again, conversations never, and nothing is left open', async () => {
    const { lives, source } = counting();
    const child = await door.agent('child', using, { hold: { pool: 2 }, tools: [source] });
    const turns = [[ask1('a')], [ask1('b')], [ask1('c'), ask1('d')], [ask1('e'), ask1('f')]];
    const outcome = await ask(await lead(turns, child), 'go', { runtime });
    expect(outcome.text.split('; ').slice(0, 2)).toEqual(['source 1 3', 'source 1 3']);
    expect(outcome.text).not.toMatch(/ [^3](;|$)/);
    expect(lives).toEqual({ made: 2, closed: 2 });
  });

  test('pool: who finds none does not wait; what is too much is closed at once', async () => {
    const { lives, source } = counting();
    const { promise: allThere, resolve } = Promise.withResolvers<void>();
    let there = 0;
    const child = await door.agent(
      'child',
      (request) => {
        if (resultsIn(request)[0]) return 'done';
        if (++there === 4) resolve();
        return { calls: [{ name: 'which' }], until: allThere };
      },
      { hold: { pool: 1 }, tools: [source] },
    );
    const calls = ['a', 'b', 'c', 'd'].map(ask1);
    await ask(await lead([calls, [ask1('e')]], child), 'go', { runtime });
    expect(lives).toEqual({ made: 4, closed: 4 });
  });

  test('pool: what is broken is not used again', async () => {
    const { lives, source } = counting(1);
    const child = await door.agent('child', using, { hold: { pool: 2 }, tools: [source] });
    const outcome = await ask(await lead([[ask1('a')], [ask1('b')], [ask1('c')]], child), 'go', { runtime });
    expect(outcome.text).toMatch(/^Failed \(config\): .*source 1 is broken[\s\S]*; source 2 3; source 2 3$/);
    expect(lives).toEqual({ made: 2, closed: 2 });
  });

  test('pool: a model that could not be made is made the next time', async () => {
    const model = await door.model(() => 'made');
    let tries = 0;
    const models = () => {
      if (++tries === 1) throw new TypeError('not yet');
      return model;
    };
    const child = { name: 'child', description: 'd', instructions: '', model: 'some/model', hold: { pool: 1 } };
    const outcome = await ask(await lead([[ask1('a')], [ask1('b')]], child), 'go', { runtime, ports: { models } });
    expect(outcome.text).toMatch(/not yet[\s\S]*; made$/);
  });
});
