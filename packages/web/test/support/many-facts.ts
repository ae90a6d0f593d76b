// The facts of a session with very many calls, made up: a root that asks sub-agents in every turn, who call tools.

import { type Fact, noTotals, type Trace } from '@ai-agent/core';

export interface ManyFacts {
  readonly facts: readonly Fact[];
  /** Sessions, turns, model calls and tool calls. */
  readonly nodes: number;
}

type Draft = { [K in Fact['type']]: Omit<Extract<Fact, { type: K }>, 'kind' | 'seq' | 'at' | 'trace'> }[Fact['type']];

const usage = { inputTokens: 1_200, outputTokens: 90, cacheReadTokens: 800 };

export function makeManyFacts(id: string, turns: number): ManyFacts {
  const facts: Fact[] = [];
  const seqs = new Map<string, number>();
  let at = 1_700_000_000_000;
  let nodes = 0;
  const tell = (trace: Trace, draft: Draft) => {
    const seq = (seqs.get(trace.selfId) ?? 0) + 1;
    seqs.set(trace.selfId, seq);
    at += 3;
    facts.push({ kind: 'fact', seq, at, trace, ...draft } as Fact);
  };
  const trace = (selfId: string, name: string, parentId: string | null): Trace => ({
    originId: id,
    parentId,
    selfId,
    callPath: parentId === null ? name : `lead:${name}`,
    turnPath: '',
    agentName: name,
    agentId: name,
    instanceName: name,
    toolName: null,
    correlationId: selfId,
  });
  const begin = (who: Trace, callerOp: string | null) => {
    nodes++;
    const messages = [
      { role: 'user' as const, content: [{ type: 'text' as const, text: `Go on with ${who.selfId}` }] },
    ];
    const rest = { system: 'Work.', messages, tools: [], output: { format: 'text' as const } };
    tell(who, { type: 'session-start', op: 'open', depth: callerOp ? 1 : 0, callerOp, title: null, ...rest });
  };
  const end = (who: Trace) => {
    const ending = { status: 'completed' as const, text: 'Done.' };
    tell(who, { type: 'session-end', op: 'end', startedAt: at - 20, endedAt: at, ending, usage: noTotals });
  };
  const model = (who: Trace, turn: number) => {
    nodes += 2;
    tell(who, { type: 'turn-start', op: `turn.${turn}`, turn, said: [], limit: null });
    const call = { op: `turn.${turn}.model`, turn, provider: 'made', model: 'up' };
    tell(who, { type: 'model-start', ...call });
    const message = { role: 'assistant' as const, content: [{ type: 'text' as const, text: `Said in turn ${turn}.` }] };
    const reply = { message, finishReason: 'stop' as const, usage, costUsd: 0.001 };
    const request = { provider: 'made', model: 'up', startedAt: at - 2, endedAt: at };
    const requests = [{ ...request, status: 'ok' as const, usage, costUsd: 0.001 }];
    tell(who, { type: 'model-end', ...call, startedAt: at - 2, endedAt: at, requests, reply });
  };
  const tool = (who: Trace, turn: number, index: number, work?: () => void) => {
    nodes += work ? 0 : 1;
    const label = work ? 'scout' : 'look';
    const instance = work ? `scout[${index}]` : label;
    const call = { op: `turn.${turn}.tool.${index}`, turn, index, label, namespace: 'made', instance };
    const part = { type: 'tool-call' as const, id: `${turn}-${index}`, name: label, input: '{"at":"here"}' };
    tell(who, { type: 'tool-start', ...call, call: part, title: 'Look' });
    work?.();
    const result = { status: 'ok' as const, text: 'Seen.' };
    tell(who, { type: 'tool-end', ...call, startedAt: at - 1, endedAt: at, bytesIn: 13, bytesOut: 5, result });
  };
  const root = trace(id, 'lead', null);
  begin(root, null);
  for (let turn = 1; turn <= turns; turn++) {
    model(root, turn);
    for (let index = 1; index <= 8; index++)
      tool(root, turn, index, () => {
        const scout = trace(`${id}~${turn}.${index}`, 'scout', id);
        begin(scout, `turn.${turn}.tool.${index}`);
        model(scout, 1);
        for (const one of [1, 2, 3, 4]) tool(scout, 1, one);
        tell(scout, { type: 'turn-end', op: 'turn.1', turn: 1 });
        model(scout, 2);
        tell(scout, { type: 'turn-end', op: 'turn.2', turn: 2 });
        end(scout);
      });
    tell(root, { type: 'turn-end', op: `turn.${turn}`, turn });
  }
  end(root);
  return { facts, nodes };
}
