// What is to be said of a provider's configuration, whatever the variables are: errors, and keys without effect.

import { isObject, nearest } from '@ai-agent/core';
import { type ConfigProblem, finite, isGiven, type KeyRule, text } from './config-problem.ts';
import { addressProblem } from './provider-config.ts';
import { modelKeys, overrideKeys, providerKeys } from './provider-keys.ts';
import { hasVariable, hasWrongVariable, variableForm } from './variables.ts';
import { providerTypes, typeOf, usualAddress } from './well-known.ts';

type Fields = Readonly<Record<string, unknown>>;
type Found = Omit<ConfigProblem, 'message'> & { readonly problem: string };

/** Errors and warnings in the order of the file. Null is as good as left out, but for overrides. */
export function describeProvider(name: string, config: unknown): readonly ConfigProblem[] {
  const found = isObject(config) ? inConfig(name, config) : [invalid([], 'its configuration is not an object')];
  return [...inName(name), ...found].map(({ problem, ...rest }) => ({
    ...rest,
    message: `Provider ${name === '' || name.includes('/') ? JSON.stringify(name) : name}: ${problem}.`,
  }));
}

/** The name stands before the first slash of provider/model. */
function inName(name: string): Found[] {
  if (name === 'offline') return [invalid([], 'this name is taken by offline/demo; choose another')];
  if (name !== '' && !name.includes('/')) return [];
  return [invalid([], 'its name must not be empty, nor have a slash in it')];
}

function inConfig(name: string, config: Fields): Found[] {
  const { headers, models } = config;
  return [
    ...inKeys(config, providerKeys, []),
    ...inType(name, config),
    ...inMode(name, config),
    ...Object.entries({ apiKey: config.apiKey, baseUrl: config.baseUrl }).flatMap(([key, value]) =>
      inVariables(value, [key]),
    ),
    ...entriesOf(headers).flatMap(([header, value]) => inHeader(value, ['headers', header])),
    ...entriesOf(models).flatMap(([model, value]) => inModel(value, ['models', model])),
  ];
}

function inKeys(given: Fields, rules: Readonly<Record<string, KeyRule>>, path: readonly string[]): Found[] {
  return entriesOf(given).flatMap(([key, value]) => {
    const here = [...path, key];
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (!rule) return [unknown(here, Object.keys(rules))];
    if (!rule.fits(value)) return [invalid(here, `its ${here.join('.')} is not ${rule.allowed}`)];
    const idle = rule.idle?.(value);
    if (idle === undefined) return [];
    return [{ severity: 'warning', path: here, code: 'key-idle', problem: `its ${here.join('.')} ${idle}` }];
  });
}

/** What it is, and where: both may go without saying. */
function inType(name: string, { type, baseUrl }: Fields): Found[] {
  const known = typeOf(name, type);
  if (!known) return isGiven(type) && !text.fits(type) ? [] : [invalid(['type'], typeProblem(type))];
  if (!isGiven(baseUrl))
    return usualAddress(name, known) === undefined ? [invalid(['baseUrl'], 'it has no baseUrl')] : [];
  if (typeof baseUrl !== 'string' || hasVariable(baseUrl)) return [];
  const problem = addressProblem(baseUrl);
  return problem === undefined ? [] : [invalid(['baseUrl'], problem)];
}

function inMode(name: string, { type, openaiMode }: Fields): Found[] {
  const known = typeOf(name, type);
  if (!providerKeys.openaiMode?.fits(openaiMode) || !known || known === 'openai') return [];
  const problem = `its openaiMode has no effect: only the type openai has one, and this is ${known}`;
  return [{ severity: 'warning', path: ['openaiMode'], code: 'key-idle', problem }];
}

function typeProblem(type: unknown): string {
  const known = `there are ${providerTypes.join(', ')}`;
  if (!isGiven(type)) return `it has no type, and its name does not say it; ${known}`;
  if (type === 'test-llm') return 'the type test-llm is not there; use the model offline/demo, which needs no provider';
  return `its type is ${JSON.stringify(String(type).slice(0, 60))}; ${known}`;
}

function inHeader(value: unknown, path: readonly string[]): Found[] {
  return text.fits(value) ? inVariables(value, path) : [invalid(path, `its ${path.join('.')} is not ${text.allowed}`)];
}

function inVariables(value: unknown, path: readonly string[]): Found[] {
  if (typeof value !== 'string' || !hasWrongVariable(value)) return [];
  const problem = `its ${path.join('.')} names a variable wrongly; it is written ${variableForm}, with nothing else`;
  return [invalid(path, problem)];
}

function inModel(value: unknown, path: readonly string[]): Found[] {
  if (!isObject(value)) return [invalid(path, `its ${path.join('.')} is not an object`)];
  const overrides = isObject(value.overrides) ? value.overrides : {};
  return [
    ...inKeys(value, modelKeys, path),
    ...Object.entries(overrides).flatMap(([key, set]) => {
      const here = [...path, 'overrides', key];
      if (!Object.hasOwn(overrideKeys, key)) return [unknown(here, Object.keys(overrideKeys))];
      return isGiven(set) && !finite.fits(set) ? [invalid(here, `its ${here.join('.')} is not a number or null`)] : [];
    }),
  ];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value).filter(([, held]) => isGiven(held)) : [];
}

function unknown(path: readonly string[], known: readonly string[]): Found {
  const meant = nearest(path.at(-1) ?? '', known);
  const hint = meant === undefined ? `there are ${known.join(', ')}` : `the nearest is ${meant}`;
  return {
    severity: 'warning',
    path,
    code: 'key-unknown',
    problem: `there is no option ${path.join('.')}; ${hint}`,
  };
}

function invalid(path: readonly string[], problem: string): Found {
  return { severity: 'error', path, code: 'key-invalid', problem };
}
