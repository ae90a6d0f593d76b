// The models that a file names, bound to the set-up its configuration has for them. What cannot be used is said.

import type { EnvOverlay, ModelSource, Price } from '@ai-agent/core';
import { findingsIn } from './check-set-ups.ts';
import type { Configuration } from './config/configuration.ts';
import { type Entry, toMissing } from './config/entry.ts';
import { toOverlay } from './config/overlay.ts';
import { type Finding, meantBy, type Place, type Problems } from './problem.ts';
import type { ModelSetUp, Providers, WellKnown, World } from './world.ts';

export interface Bound {
  /** In the order they are tried. */
  readonly models: readonly (string | BoundModel)[];
  /** The same of those that read long results; empty when none are named for that. */
  readonly readers: readonly (string | BoundModel)[];
  /** The variables that their set-ups and those beside them name, and no others. */
  readonly envOverlay: Readonly<Record<string, string>>;
  /** Those of `beside`, in their order, as that overlay has their variables. */
  readonly beside: readonly Entry[];
}

/** A model that can be opened, and says what it costs where everybody may know. */
export interface BoundModel extends ModelSource {
  readonly price: () => Promise<Price | 'reported' | undefined>;
}

/** Models by name, in the order they are tried, and where they are named. */
export interface Named {
  readonly refs: readonly string[];
  readonly place: Place;
}

export interface Binding extends Named {
  /** The name of the agent. */
  readonly agent: string;
  /** Those that read long results. @default none but its own */
  readonly readers?: Named | undefined;
  readonly configuration: Configuration;
  readonly providers: Providers;
  readonly problems: Problems;
  /** Whether a set-up without its variables will do, because nobody is going to open it. */
  readonly mayLackVariables: boolean;
  /** What each model is set up with, above its configuration. @default nothing */
  readonly setUp?: Readonly<Record<string, unknown>> | undefined;
  /** Set-ups of the same session that are no models: they share its variables. */
  readonly beside: readonly Entry[];
  /** Told every one that can be used. @default nobody */
  readonly onModel?: World['onModel'] | undefined;
}

export function bindModels(binding: Binding): Bound {
  const lists = [binding, ...(binding.readers ? [{ ...binding, ...binding.readers }] : [])];
  const usable = lists.map(findUsable);
  const own = usable.flat().flatMap(({ entry }) => (entry ? [entry] : []));
  const { overlay, entries } = toOverlay([...own, ...binding.beside]);
  const left = [...entries];
  const [models = [], readers = []] = usable.map((found, i) =>
    found.map((one) => bindModel(one, one.entry && left.shift(), { overlay, list: lists[i] ?? binding })),
  );
  return { models, readers, envOverlay: overlay, beside: left };
}

/** As long as one can be used, what others lack is only warned of. A set-up that is wrong is told as its check says. */
function findUsable(list: Binding): readonly Found[] {
  const { refs, place, problems } = list;
  if (refs.length === 0) problems.error('key-invalid', place, 'found no name; must be at least one provider/model');
  const found = refs.map((ref) => findModel(ref, list));
  const ifLacking = found.some(({ isBroken }) => !isBroken) ? 'warning' : 'error';
  for (const { severity = ifLacking, ...finding } of found.flatMap(({ findings }) => findings))
    problems.add(severity, finding);
  return found.filter(({ isBroken }) => !isBroken);
}

interface Within {
  readonly overlay: Readonly<Record<string, string>>;
  readonly list: Binding;
}

function bindModel({ ref, model }: Found, entry: Entry | undefined, { overlay, list }: Within): string | BoundModel {
  if (!entry) return ref;
  const config = list.setUp ? withSetUp(entry.value, model, list.setUp) : entry.value;
  const setUp = { provider: entry.name, model, config };
  list.onModel?.({ ...setUp, env: overlay, place: list.place, isFallback: ref !== list.refs[0] });
  return toSource(setUp, overlay, list);
}

interface Found {
  readonly ref: string;
  readonly model: string;
  /** None for what needs no set-up. */
  readonly entry?: Entry;
  readonly isBroken: boolean;
  /** Without a severity: something it lacks. */
  readonly findings: readonly (Finding & { readonly severity?: 'error' | 'warning' })[];
}

function findModel(ref: string, binding: Binding): Found {
  const { place, providers, configuration } = binding;
  const slash = ref.indexOf('/');
  const [name, model] = [ref.slice(0, slash), ref.slice(slash + 1)];
  const broken = (...findings: readonly Omit<Found['findings'][number], 'place'>[]): Found => ({
    ref,
    model,
    isBroken: true,
    findings: findings.map((finding) => ({ place, ...finding })),
  });
  if (ref === 'offline/demo') return { ref, model, isBroken: false, findings: [] };
  if (slash < 1 || model === '')
    return broken({ severity: 'error', code: 'key-invalid', message: `found "${ref}"; must be provider/model` });
  if (name === 'offline')
    return broken({ code: 'model-unknown', message: `${ref}: provider offline has only the model demo` });
  const own = configuration.entry('providers', name);
  const entry = own ? withUsualKey(own, binding) : wellKnownEntry(name, binding);
  const lacksVariables = entry && entry.missing.length > 0 && !binding.mayLackVariables;
  // A broken file may have set up what is missing: its own error is enough.
  if ((!entry || lacksVariables) && configuration.isEntryBroken('providers', name)) return broken();
  if (lacksVariables && configuration.lacksVariables) return broken();
  if (!entry) return broken({ code: 'model-unknown', message: `${ref}: ${unknownProvider(name, binding)}` });
  if (lacksVariables)
    return broken(...entry.missing.map((variable) => toMissingVariable(variable, { ref, entry, binding })));
  const findings = findingsIn(entry, providers);
  return { ref, model, entry, findings, isBroken: findings.some(({ severity }) => severity === 'error') };
}

function toMissingVariable(variable: string, { ref, entry, binding }: { ref: string; entry: Entry; binding: Binding }) {
  const message = `${toMissing([variable])} (${ref} needs it)`;
  const missing = { variable, agent: binding.agent, envFile: entry.envFile };
  return { code: 'secret-missing', message, missing } as const;
}

/** A provider that everybody knows needs no entry: its usual variable has the key. */
function wellKnownEntry(name: string, { configuration, providers, place }: Binding): Entry | undefined {
  const known = providers.wellKnown(name);
  if (!known) return undefined;
  const { config } = known;
  const entry = { section: 'providers' as const, name, file: place.file, at: { value: config }, value: config };
  return withKey({ ...entry, variables: {}, missing: [] }, known, configuration);
}

/** An entry without a key has the usual one, unless it leads elsewhere: a key goes only where it belongs. */
function withUsualKey(entry: Entry, { configuration, providers }: Binding): Entry {
  const { type, apiKey, baseUrl, headers = {} } = entry.value;
  const hasKey = Object.keys(headers as object).some((header) =>
    /^(?:authorization|x-api-key|api-key|x-goog-api-key)$/i.test(header),
  );
  const known = providers.wellKnown(typeof type === 'string' && type !== 'openai-compatible' ? type : entry.name);
  if (!known || apiKey !== undefined || baseUrl !== undefined || hasKey) return entry;
  return withKey(entry, known, configuration);
}

function withKey(entry: Entry, { keyVariables }: WellKnown, configuration: Configuration): Entry {
  const [usual] = keyVariables;
  if (usual === undefined) return entry;
  const variable = keyVariables.find((one) => configuration.lookUp(one) !== undefined);
  const value = variable === undefined ? undefined : configuration.lookUp(variable);
  return {
    ...entry,
    value: { ...entry.value, apiKey: `$\{${variable ?? usual}}` },
    variables: { ...entry.variables, ...(variable === undefined ? {} : { [variable]: value as string }) },
    missing: [...entry.missing, ...(variable === undefined ? [usual] : [])],
  };
}

function unknownProvider(name: string, { configuration, providers }: Binding): string {
  const known = [...new Set([...configuration.names('providers'), ...providers.wellKnownNames, 'offline'])];
  return `there is no provider ${name}; ${meantBy(name, known)}`;
}

/** Opened for each session with that session's own variables. */
function toSource(setUp: ModelSetUp, env: EnvOverlay, { providers }: Binding): BoundModel {
  const { provider, model } = setUp;
  return {
    provider,
    model,
    attachments: providers.filesTakenBy(setUp),
    open: (options) => providers.open(setUp, options),
    price: () => providers.priceOf(setUp, { env }),
  };
}

function withSetUp(config: Entry['value'], model: string, setUp: object): Entry['value'] {
  const models = { ...(config.models as Readonly<Record<string, object | null>> | null | undefined) };
  return { ...config, models: { ...models, [model]: { ...models[model], ...setUp } } };
}
