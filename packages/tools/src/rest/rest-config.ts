// What is wrong with the set-up of a REST tool, whatever its variables are.

import { defineTool, isObject, type JsonSchema, messageOf } from '@ai-agent/core';
import type { SetUpProblem, ToolSetUp } from '../set-up.ts';
import { namesIn } from './placeholders.ts';
import { isBrokenJson } from './rest-body.ts';
import { namedHost } from './rest-url.ts';
import { takesKeyAlong } from './secrets.ts';

type RestEntry = Pick<ToolSetUp, 'name' | 'config'>;
type Config = RestEntry['config'];

/** A url or a method that is a variable is not looked at before the variable is filled in. */
export function checkRestConfig({ name, config }: RestEntry): readonly SetUpProblem[] {
  return [...checkUrl(name, config), ...checkSchemaShape(config), ...checkPlaceholders(config), ...checkBody(config)];
}

function checkUrl(name: string, config: Config): readonly SetUpProblem[] {
  const { url } = config;
  if (typeof url !== 'string' || url.trim() === '')
    return [
      error(['url'], `url is missing: write where ${name} asks, as in "https://example.com/search?q=\${parameters.q}"`),
    ];
  if (/^\s*\$\{(?!parameters\.)/.test(url)) return [];
  if (!/^\s*(?:https?:\/\/[^/?#]|\$\{parameters\.)/i.test(url))
    return [
      error(
        ['url'],
        `url is ${JSON.stringify(url.slice(0, 100))}: write an address that begins with http:// or https://`,
      ),
    ];
  if (/^\s*https?:\/\/[^/?#]*@/i.test(url))
    return [error(['url'], 'url has a user name or a password in it: write them as a header Authorization')];
  const origin = /^\s*(https?:\/\/[^/?#]*)/i.exec(url)?.[1] ?? '';
  if (origin !== '' && !origin.includes('${') && !URL.canParse(origin))
    return [error(['url'], `url has ${JSON.stringify(origin.slice(0, 100))} for a host, which is none`)];
  const isOpen = namedHost(url) === undefined && !/^\s*https?:\/\/[^/?#]*\$\{(?!parameters\.)/i.test(url);
  if (!isOpen || !takesKeyAlong(config)) return [];
  return [warning(['url'], 'url leaves the host to the arguments of a call, and a key goes along: name the host')];
}

function checkSchemaShape({ parametersSchema }: Config): readonly SetUpProblem[] {
  if (parametersSchema === undefined) return [];
  const { type = 'object', properties = {} } = isObject(parametersSchema) ? parametersSchema : { type: 'nothing' };
  if (type === 'object' && isObject(properties)) return checkSchema(parametersSchema as JsonSchema);
  return [
    error(
      ['parametersSchema'],
      'parametersSchema must be a JSON Schema of an object: { "type": "object", "properties": { … } }',
    ),
  ];
}

/** As core will when a session opens. */
function checkSchema(inputSchema: JsonSchema): readonly SetUpProblem[] {
  try {
    defineTool({ name: 'tool', inputSchema, execute: () => '' });
    return [];
  } catch (wrong) {
    const why = messageOf(wrong).replace(/^.*? is not a valid JSON Schema: /, '');
    return [error(['parametersSchema'], `parametersSchema is not a valid JSON Schema: ${why}`)];
  }
}

/** Only a schema that lists its properties can say that one of them is missing. */
function checkPlaceholders({ url, headers, bodyTemplate, parametersSchema }: Config): readonly SetUpProblem[] {
  const { properties } = isObject(parametersSchema) ? parametersSchema : {};
  if (!isObject(properties)) return [];
  const places = { url, headers, bodyTemplate };
  return Object.entries(places).flatMap(([key, value]) => {
    const unknown = [...new Set(namesIn(value))].filter((name) => {
      return !Object.hasOwn(properties, name) && !Object.hasOwn(properties, name.split('.')[0] ?? '');
    });
    return unknown.map((name) =>
      warning(
        [key],
        `\${parameters.${name}} stands in ${key}, and parametersSchema has no property "${name}": nothing will fill it`,
      ),
    );
  });
}

function checkBody({ method, headers, bodyTemplate }: Config): readonly SetUpProblem[] {
  if (bodyTemplate === undefined) return [];
  if (/^(?:GET|HEAD)$/i.test(typeof method === 'string' ? method : 'GET'))
    return [
      warning(['bodyTemplate'], 'bodyTemplate is never sent with GET or HEAD: write another method, or take it out'),
    ];
  const [name, value = 'application/json'] =
    Object.entries(isObject(headers) ? headers : {}).find(([one]) => /^content-type$/i.test(one)) ?? [];
  if (name !== undefined && /^\s*multipart\//i.test(String(value)))
    return [
      error(['headers', name], 'a REST tool writes no multipart bodies: describe this one by an OpenAPI document'),
    ];
  if (!/[/+]json\b/i.test(String(value)) || typeof bodyTemplate !== 'string' || !isBrokenJson(bodyTemplate)) return [];
  return [
    warning(
      ['bodyTemplate'],
      'bodyTemplate begins like JSON and is none, so it is sent as one text: correct it, or write it as an object',
    ),
  ];
}

function error(path: readonly string[], message: string): SetUpProblem {
  return { severity: 'error', code: 'config-invalid', path, message };
}

function warning(path: readonly string[], message: string): SetUpProblem {
  return { severity: 'warning', code: 'config-invalid', path, message };
}
