// What is wrong with the set-up of an OpenAPI document, whatever its variables are. The document is read when it is used.

import { isObject } from '@ai-agent/core';
import { toNames } from '../rest/settings.ts';
import type { SetUpProblem, ToolSetUp } from '../set-up.ts';

type OpenapiEntry = Pick<ToolSetUp, 'name' | 'config'>;
type Config = OpenapiEntry['config'];

export function checkOpenapiConfig({ name, config }: OpenapiEntry): readonly SetUpProblem[] {
  return [...checkSpec(name, config), ...checkBaseUrl(config), ...checkAuth(config), ...checkMethods(config)];
}

function checkSpec(name: string, { spec }: Config): readonly SetUpProblem[] {
  if (typeof spec !== 'string' || spec.trim() === '')
    return [problem(['spec'], `spec is missing: write the file with the OpenAPI document of ${name}, as JSON or YAML`)];
  if (!/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(spec)) return [];
  return [problem(['spec'], 'spec is an address: download the document, and write the name of the file')];
}

function checkBaseUrl({ baseUrl }: Config): readonly SetUpProblem[] {
  if (baseUrl === undefined) return [];
  const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
  if (/^https?:\/\/[^/?#]*@/i.test(text))
    return [problem(['baseUrl'], 'baseUrl has a user name or a password in it: write them in auth or headers')];
  const isAddress = /^https?:\/\/[^/?#\s]/i.test(text) && URL.canParse(text);
  if (isAddress || text.includes('${')) return [];
  return [problem(['baseUrl'], 'baseUrl must be an address that begins with http:// or https://')];
}

function checkAuth({ auth }: Config): readonly SetUpProblem[] {
  if (auth === undefined) return [];
  const shape = 'auth must be an object with a text for each security scheme: a key, a token, or "user:password"';
  if (!isObject(auth)) return [problem(['auth'], shape)];
  const wrong = Object.entries(auth).filter(([, value]) => typeof value !== 'string' || value === '');
  return wrong.map(([scheme]) => problem(['auth', scheme], shape));
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

function checkMethods({ includeMethods }: Config): readonly SetUpProblem[] {
  const unknown = toNames(includeMethods).find(
    (method) => !method.includes('${') && !methods.includes(method.toLowerCase()),
  );
  if (unknown === undefined) return [];
  return [
    problem(['includeMethods'], `includeMethods has ${JSON.stringify(unknown)}; there are ${methods.join(', ')}`),
  ];
}

function problem(path: readonly string[], message: string): SetUpProblem {
  return { severity: 'error', code: 'config-invalid', path, message };
}
