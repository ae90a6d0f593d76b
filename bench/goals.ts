// What the figures are held to: each line of the report has a goal, and says whether it is met.

import type { ContenderName } from './measures/measure.ts';
import { medianOf } from './median.ts';
import type { Job, Samples } from './schedule.ts';
import { fanOut, type Sizes, wideFanOut } from './sizes.ts';
import type { Starts } from './starts.ts';

export interface Line {
  readonly what: string;
  readonly unit: string;
  /** The median of the repetitions; of what is counted, the worst. */
  readonly ours: number;
  readonly floor?: number;
  readonly ratio?: Ratio;
  readonly goal: { readonly is: 'times the floor' | 'at most' | 'exactly'; readonly value: number };
  readonly isMet: boolean;
}

export interface Ratio {
  /** Of the medians. */
  readonly value: number;
  /** The least and the most of the repetitions. */
  readonly least: number;
  readonly most: number;
}

export interface Measured {
  readonly samples: Samples;
  readonly starts: Starts;
}

export function toLines({ samples, starts }: Measured, { held }: Sizes): Line[] {
  const from = (measure: Job['measure'], figure: string, unit = ''): Source => ({
    unit,
    figuresOf: (contender) => samples[measure][contender].map((figures) => figures[figure] ?? Number.NaN),
  });
  return [
    toRatio('CPU per sub-agent, nobody listens', from('cpu', 'cpuMs', 'ms'), 1.3),
    toRatio('CPU per sub-agent, every token streamed', from('cpuStreamed', 'cpuMs', 'ms'), 2),
    toRatio(`Overhead at fan-out ${wideFanOut}`, from('wide', 'overheadMs', 'ms'), 1.2),
    toCount('  sub-agents in flight at once', from('wide', 'atOnce'), wideFanOut),
    toRatio('Live memory per session in flight', from('liveMemory', 'liveKb', 'KiB'), 1.5),
    toCount(`Sub-agents of ${held.parents} parents in flight at once`, from('held', 'atOnce'), held.parents * fanOut),
    toCount('  right answers of parents after that', from('held', 'right'), held.parents),
    toCeiling(`Heap kept per parent with ${fanOut} sub-agents, all finished`, from('retained', 'bytes', 'B'), 200),
    toRatio('CPU that the server adds per request', from('served', 'requestUs', 'µs'), 5),
    toRatio('CPU that the server adds per streamed chunk', from('served', 'chunkUs', 'µs'), 1.5),
    ...toStartLines(starts),
  ];
}

/**
 * The floor of a start is one of Node that does nothing; of a run that is kept, the same run without a store; of one on stdio, a
 * server of the SDK: with agents behind it, it is no slower.
 */
function toStartLines({ bareMs, bareAnswerMs, commands, install }: Starts): Line[] {
  const beside = (own: readonly number[], floors = bareMs): Source => ({
    unit: 'ms',
    figuresOf: (contender) => (contender === 'ours' ? own : floors),
  });
  const counted = (unit: string, value: number): Source => ({ unit, figuresOf: () => [value] });
  return [
    ...commands.map(({ where, versionMs }) => toRatio(`--version, ${where}`, beside(versionMs), 1.5)),
    ...commands.map(({ where, requestMs }) => toRatio(`First model request, ${where}`, beside(requestMs), 2.5)),
    ...commands.map(({ where, keptMs, unkeptMs }) =>
      toRatio(`A run that is kept, ${where}`, beside(keptMs, unkeptMs), 2),
    ),
    ...commands.map(({ where, answerMs }) =>
      toRatio(`First answer over MCP on stdio, ${where}`, beside(answerMs, bareAnswerMs), 1),
    ),
    withoutFloor(toCeiling('node_modules of an install', counted('MB', install.bytes / 1e6), 60)),
    toCount('  packages in it', counted('', install.packages), 1),
  ];
}

function withoutFloor({ floor: _, ...line }: Line): Line {
  return line;
}

interface Source {
  readonly unit: string;
  figuresOf(contender: ContenderName): readonly number[];
}

function toRatio(what: string, { unit, figuresOf }: Source, value: number): Line {
  const [own, floors] = [figuresOf('ours'), figuresOf('floor')];
  const [ours, floor] = [medianOf(own), medianOf(floors)];
  const ratios = own.map((figure, i) => figure / (floors[i] ?? Number.NaN));
  const ratio = { value: ours / floor, least: Math.min(...ratios), most: Math.max(...ratios) };
  return { what, unit, ours, floor, ratio, goal: { is: 'times the floor', value }, isMet: ratio.value <= value };
}

function toCount(what: string, { unit, figuresOf }: Source, value: number): Line {
  const ours = Math.min(...figuresOf('ours'));
  return { what, unit, ours, goal: { is: 'exactly', value }, isMet: ours === value };
}

function toCeiling(what: string, { unit, figuresOf }: Source, value: number): Line {
  const [ours, floor] = [medianOf(figuresOf('ours')), medianOf(figuresOf('floor'))];
  return { what, unit, ours, floor, goal: { is: 'at most', value }, isMet: ours <= value };
}
