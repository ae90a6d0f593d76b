// T11: a result over the cap is kept aside; the model gets its head, a handle, and a tool to read the rest.

import { ask, asTool, defineTool, fail, MemoryOutputs, type ToolOutput } from '@ai-agent/cli';
import type { Script, Step } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { anyArguments, call, handleIn, promptIn, resultsIn } from './support/calls.ts';
import { throughEveryDoor } from './support/doors.ts';

const bytesOf = (text: string) => Buffer.byteLength(text);
const handleOf = (text: string) => /kept as "([^"]+)"/.exec(text)?.[1] ?? 'no handle';

throughEveryDoor('long results are kept aside', (door) => {
  const { runtime } = door;

  const giving = (output: () => ToolOutput) =>
    defineTool({ name: 'big', inputSchema: anyArguments, execute: () => output() });

  /** Calls `big`, then reads as it is told to, one call per turn; the results in order. */
  const reading = async (output: () => ToolOutput, reads: readonly object[], limits = {}, ports = {}) => {
    const results: string[] = [];
    const offered: string[][] = [];
    const script: Script = (request, number): Step | string => {
      offered.push(request.tools.map(({ name }) => name));
      results.push(...resultsIn(request));
      if (number === 1) return { calls: [{ name: 'big' }] };
      const read = reads[number - 2];
      return read ? { calls: [{ name: 'tool_output', input: { handle: handleOf(results[0] ?? ''), ...read } }] } : 'ok';
    };
    const agent = await door.agent('lead', script, { tools: [giving(output)], limits: { maxTurns: 500, ...limits } });
    const outcome = await ask(agent, 'go', { runtime, ports });
    expect(outcome.status).toBe('completed');
    return { results, offered };
  };

  test('the model gets the head and a handle, and is offered the tool only then', async () => {
    const text = 'abc\n'.repeat(10_000);
    const { results, offered } = await reading(() => text, [{ from: 39_990 }]);
    expect(offered).toEqual([['big'], ['big', 'tool_output'], ['big', 'tool_output']]);
    const [head = '', rest = ''] = results;
    expect(head.startsWith(text.slice(0, 12_288))).toBe(true);
    expect(head).toContain('The whole result has 40000 bytes');
    expect(head).toContain('Read on from character 12288');
    expect(bytesOf(head)).toBeLessThan(12_288 + 300);
    expect(rest).toBe(`${text.slice(39_990)}\n\n[Characters 39990 to 40000 of 40000; this is the end.]`);
  });

  test('a result that just fits is left alone', async () => {
    const { results, offered } = await reading(() => 'x'.repeat(256), [], { maxToolOutputBytes: 256 });
    expect(results).toEqual(['x'.repeat(256)]);
    expect(offered.at(-1)).toEqual(['big']);
  });

  test('read piece by piece it is whole again, within the smallest bound and with no character split', async () => {
    const text = 'a😀é漢'.repeat(60);
    const pieces: string[] = [];
    const agent = await door.agent(
      'lead',
      (request, number) => {
        if (number === 1) return { calls: [{ name: 'big' }] };
        const [result = ''] = resultsIn(request);
        pieces.push(result.replace(/\n\n\[[^\]]*\]$/, ''));
        if (number > 2) expect(bytesOf(result)).toBeLessThanOrEqual(256);
        if (result.includes('this is the end')) return 'ok';
        const handle = handleOf(JSON.stringify(request.messages).replaceAll('\\"', '"'));
        const from = Number(/read on from (?:character )?(\d+)/i.exec(result)?.[1]);
        return { calls: [{ name: 'tool_output', input: { handle, from } }] };
      },
      { tools: [giving(() => text)], limits: { maxToolOutputBytes: 256, maxTurns: 100 } },
    );
    await ask(agent, 'go', { runtime });
    expect(pieces.join('')).toBe(text);
  });

  test('a range that begins or ends inside a character is widened to whole ones', async () => {
    const text = '😀'.repeat(5_000);
    const { results } = await reading(() => text, [{ from: 1, length: 2 }, { from: 2, length: 1 }, { from: 9_999 }]);
    for (const result of results) expect(result.isWellFormed()).toBe(true);
    expect(results.slice(1).map((result) => result.split('\n')[0])).toEqual(['😀😀', '😀', '😀']);
    expect(results[1]).toContain('Characters 0 to 4 of 10000');
  });

  test('a search finds every place, also in data that is one line, in any case and within the bound', async () => {
    const value = Array.from({ length: 2_000 }, (_, i) => ({
      id: i,
      name: i % 500 === 7 ? `Needle ${i}` : `hay ${i}`,
    }));
    const output = () => ({ type: 'json' as const, value });
    const { results } = await reading(output, [{ search: 'nEEDLE' }, { search: 'nowhere' }]);
    for (const i of [7, 507, 1007, 1507]) expect(results[1]).toContain(`Needle ${i}"`);
    expect(results[1]).toContain('[4 places');
    expect(results[2]).toBe('"nowhere" is not in it.');
    const small = await reading(output, [{ search: 'needle 507' }, { search: 'x'.repeat(400) }], {
      maxToolOutputBytes: 256,
    });
    expect(small.results[1]).toContain('Needle 507');
    for (const result of small.results.slice(1)) expect(bytesOf(result)).toBeLessThanOrEqual(256);
  });

  test('a sub-agent that answers at length is read the same way', async () => {
    const child = await door.agent('child', () => `${'long '.repeat(5_000)}the end`);
    const lead = await door.agent(
      'lead',
      (request, number) => {
        const [result = ''] = resultsIn(request);
        if (number === 1) return { calls: [call('child', { text: 'go' })] };
        if (number === 2)
          return { calls: [{ name: 'tool_output', input: { handle: handleOf(result), search: 'the end' } }] };
        return result;
      },
      { tools: [asTool(child)] },
    );
    const outcome = await ask(lead, 'go', { runtime });
    expect(outcome.text).toContain('the end');
    expect(bytesOf(outcome.text)).toBeLessThan(1_000);
  });

  test('a sub-agent that is told the handle reads it too; another run does not', async () => {
    const outputs = new MemoryOutputs();
    const read = (name: string) =>
      door.agent(
        name,
        (request) =>
          resultsIn(request)[0] ?? {
            calls: [{ name: 'tool_output', input: { handle: promptIn(request), search: 'secret' } }],
          },
      );
    const child = await read('child');
    const lead = await door.agent(
      'lead',
      (request, number) => {
        const [result = ''] = resultsIn(request);
        if (number === 1) return { calls: [{ name: 'big' }] };
        return number === 2 ? { calls: [call('child', { text: handleOf(result) })] } : result;
      },
      { tools: [asTool(child), giving(() => `${'x\n'.repeat(10_000)}secret`)] },
    );
    const outcome = await ask(lead, 'go', { runtime, ports: { outputs } });
    expect(outcome.text).toContain('secret');
    const handle = handleOf(JSON.stringify(outcome.conversations).replaceAll('\\"', '"'));
    const stranger = await ask(await read('stranger'), handle, { runtime, ports: { outputs } });
    expect(stranger.text).toMatch(/Nothing is kept as/);
  });

  test('who asked something in between can still read on', async () => {
    const offered: string[][] = [];
    const child = await door.agent(
      'child',
      (request) => {
        offered.push(request.tools.map(({ name }) => name));
        const [result = ''] = resultsIn(request);
        if (result.startsWith('xx')) return { calls: [{ name: 'ask_user', input: { question: handleOf(result) } }] };
        if (result.startsWith('out-'))
          return { calls: [{ name: 'tool_output', input: { handle: result, from: 40_000 } }] };
        return result === '' ? { calls: [{ name: 'big' }] } : result;
      },
      { ask: 'caller', tools: [giving(() => `${'x'.repeat(40_000)}end`)] },
    );
    const lead = await door.agent(
      'lead',
      (request) => {
        const [result = ''] = resultsIn(request);
        const answer = /goes on: (\S+)/.exec(result)?.[1];
        if (answer) return { calls: [call('child', { resume: handleIn(request), answer })] };
        return result || { calls: [call('child', { text: 'go' })] };
      },
      { tools: [asTool(child)] },
    );
    expect((await ask(lead, 'go', { runtime })).text).toMatch(/^end\n/);
    expect(offered.map((names) => names.includes('tool_output'))).toEqual([false, true, true, true]);
  });

  test('the oldest go when there are too many, and the model is told what that means', async () => {
    let given = 0;
    const output = () => `${++given} `.repeat(10_000);
    const { results } = await reading(output, [{ search: '1' }], {}, { outputs: new MemoryOutputs(5_000) });
    expect(results[1]).toMatch(/Nothing is kept as "out-[^"]+".*make room[\s\S]*What to do: .*again/);
  });

  test('a failure with much to say is bounded like any result', async () => {
    const long = 'why '.repeat(10_000);
    const outputs = [
      () => fail('It broke.', { text: long }),
      () => fail(long),
      () => {
        throw new TypeError(long);
      },
    ];
    for (const output of outputs) {
      const { results } = await reading(output, [{ from: 39_996, length: 3 }]);
      expect(results[0]).toMatch(/^Failed \(tool\)/);
      expect(bytesOf(results[0] ?? '')).toBeLessThan(12_288 + 600);
      expect(results[1]).toMatch(/^why/);
    }
  });
});
