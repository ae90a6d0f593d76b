// Metadata that plugins want beside a report: taken out of every answer, and asked for again while the report stands.

import type { Json, JsonObject } from '../json.ts';
import { type MetadataBlock, readBlock, takeBlocks } from '../metadata-blocks.ts';
import { decided, type Middleware, type SessionView, type Verdict } from '../middleware.ts';
import type { PluginRequirements } from '../report-plugin.ts';
import { problemsOf } from '../schema.ts';
import { nonceOf } from '../text.ts';
import type { WantedMetadata } from '../text-material.ts';

/** What a layer needs to know of a plugin. */
export interface Wanting {
  readonly name: string;
  readonly requirements: PluginRequirements;
}

// Most agents have the built-in layers and no others: theirs are put together once.
const known = new WeakMap<readonly Middleware[], WeakMap<readonly Wanting[], readonly Middleware[]>>();

/** Metadata is gone before any layer reads the report, and is asked for once all of them have accepted it. */
export function withMetadata(layers: readonly Middleware[], plugins: readonly Wanting[]): readonly Middleware[] {
  if (plugins.length === 0) return layers;
  const byPlugins = known.get(layers) ?? new WeakMap();
  const all = byPlugins.get(plugins) ?? [takeMetadata(layers, plugins), ...layers, askForMetadata];
  known.set(layers, byPlugins.set(plugins, all));
  return all;
}

function takeMetadata(layers: readonly Middleware[], plugins: readonly Wanting[]): Middleware {
  return {
    name: 'take-metadata',
    decide: {
      answer(verdict, view) {
        const { metadata, problems } = readMetadata([...view.sentBack, verdict.text], plugins);
        const locked = findLocked(layers, view);
        const said = locked?.verdict ?? { ...verdict, text: takeBlocks(verdict.text).text };
        const isAskedAgain = problems.size > 0 && mayAsk(view, locked ? view.sentBack.length - locked.at : 0);
        return {
          text: said.text,
          finishReason: said.finishReason,
          ...(said.shortenedBy ? { shortenedBy: said.shortenedBy } : {}),
          ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
          ...(isAskedAgain ? { wanted: view.texts.metadataAgain(toWanted(plugins, problems, view)) } : {}),
        };
      },
      /** A report that stands is not lost with the turn that only asked for metadata. */
      next(end, view) {
        const locked = end.type === 'failed' ? findLocked(layers, view) : undefined;
        if (!locked) return undefined;
        const { metadata } = readMetadata(view.sentBack, plugins);
        const { text, report } = locked.accepted;
        const more = Object.keys(metadata).length > 0 ? { metadata } : {};
        return { end: { status: 'completed', text, ...(report === undefined ? {} : { report }), ...more } };
      },
    },
    perform: {
      // A provider that holds the reply to a JSON contract would leave no room for blocks; the report is checked here.
      model: (work, next) =>
        work.request.output.format === 'json'
          ? next({ ...work, request: { ...work.request, output: { format: 'text' } } })
          : next(work),
    },
  };
}

const askForMetadata: Middleware = {
  name: 'ask-for-metadata',
  decide: {
    answer({ wanted, ...verdict }) {
      return wanted !== undefined && isAccepted(verdict) ? { ...verdict, retry: wanted } : verdict;
    },
  },
};

interface Locked {
  /** Which of the answers that were sent back. */
  readonly at: number;
  /** As it was said, without metadata. */
  readonly verdict: Verdict;
  /** As all layers left it. */
  readonly accepted: Verdict;
}

/** The first answer that was sent back for its metadata alone: every other layer had accepted it. */
function findLocked(layers: readonly Middleware[], view: SessionView): Locked | undefined {
  for (const [at, answer] of view.sentBack.entries()) {
    const verdict: Verdict = { text: takeBlocks(answer).text, finishReason: 'stop' };
    const then = asItWas(view, at);
    let accepted = verdict;
    for (const layer of layers) accepted = decided(layer, layer.decide?.answer?.(accepted, then)) ?? accepted;
    if (isAccepted(accepted)) return { at, verdict, accepted };
  }
  return undefined;
}

function isAccepted({ retry, failure, limit }: Verdict): boolean {
  return retry === undefined && !failure && limit === undefined;
}

/** What a layer saw when this answer was judged, as far as answers are concerned. */
function asItWas(view: SessionView, at: number): SessionView {
  const then: Partial<SessionView> = { sentBack: view.sentBack.slice(0, at), repairs: at };
  return new Proxy(view, {
    get: (now, key) => (Object.hasOwn(then, key) ? then[key as keyof SessionView] : Reflect.get(now, key, now)),
  });
}

/** The last turn has other things to say, and is not spent on metadata. */
function mayAsk({ limits, turn }: SessionView, asked: number): boolean {
  return asked < limits.maxRepairs && turn + 1 < limits.maxTurns;
}

export interface ReadMetadata {
  /** What is valid, by the name of its plugin. */
  readonly metadata: JsonObject;
  /** Of every plugin that has none. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
}

/** Of all that was said since the last call of a tool: for each plugin the latest that is valid. */
export function readMetadata(answers: readonly string[], plugins: readonly Wanting[]): ReadMetadata {
  const metadata: Record<string, Json> = {};
  const problems = new Map(plugins.map(({ name }): [string, readonly string[]] => [name, ['it is missing']]));
  for (const block of answers.flatMap((answer) => takeBlocks(answer).blocks)) {
    const plugin = ownerOf(block, plugins);
    if (!plugin) continue;
    const read = readBlock(block);
    const wrong = read ? problemsOf(plugin.requirements.schema, read.value) : ['it is not one JSON document'];
    if (read && wrong.length === 0) metadata[plugin.name] = read.value;
    problems.set(plugin.name, wrong);
  }
  for (const name of Object.keys(metadata)) problems.delete(name);
  return { metadata, problems };
}

/** A block that does not say whose it is can only be that of the one there is. */
function ownerOf({ plugin }: MetadataBlock, plugins: readonly Wanting[]): Wanting | undefined {
  if (plugin === undefined) return plugins.length === 1 ? plugins[0] : undefined;
  return plugins.find(({ name }) => name === plugin);
}

/** The plugins of a session as texts tell of them; with problems only those that have some. */
export function toWanted(
  plugins: readonly Wanting[],
  problems: ReadonlyMap<string, readonly string[]> | undefined,
  { place }: Pick<SessionView, 'place'>,
): readonly WantedMetadata[] {
  const nonce = nonceOf(place.id);
  const fill = (text = '') => text.replaceAll('NONCE', nonce).trim();
  return plugins.flatMap(({ name, requirements: { schema, instructions, reminder, example } }) => {
    const wrong = problems?.get(name) ?? [];
    if (problems && wrong.length === 0) return [];
    const tag = `ai-agent-${nonce}-META`;
    const said = { instructions: fill(instructions), reminder: fill(reminder), example: fill(example) };
    return [
      { plugin: name, opening: `<${tag} plugin="${name}">`, closing: `</${tag}>`, schema, problems: wrong, ...said },
    ];
  });
}
