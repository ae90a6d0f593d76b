// Which values of a server's entry are secrets: nothing of a tree may show them.

import { type EnvOverlay, isObject, isSecretName } from '@ai-agent/core';

type Config = Readonly<Record<string, unknown>>;

/** Values of variables that are named like one, and values that stand where one belongs. */
export function secretsIn(config: Config, filled: Config, env: EnvOverlay): readonly string[] {
  const named = variablesIn(JSON.stringify(config)).filter(isSecretName);
  const { toolSchemas: _, ...settings } = filled;
  const written = Object.entries(settings).flatMap(([key, value]) => secretsAt(key, value));
  const values = [...named.map((name) => env[name] ?? ''), ...written, ...secretsInUrl(filled.url)];
  return [...new Set(values.filter((value) => value !== ''))];
}

function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name);
}

function secretsAt(key: string, value: unknown): readonly string[] {
  if (typeof value === 'string') return isSecretPlace(key) ? [value] : [];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => secretsAt(name, part));
}

function isSecretPlace(key: string): boolean {
  return isSecretName(key) || /^(proxy-)?authorization$|^cookie$|passw|_auth$|^auth$/i.test(key);
}

function secretsInUrl(url: unknown): readonly string[] {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  if (!parsed) return [];
  const asked = [...parsed.searchParams].flatMap(([name, value]) => (isSecretPlace(name) ? [value] : []));
  return [...asked, parsed.password, decodeSoundly(parsed.password)];
}

function decodeSoundly(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
