// Random calls of the tools of a document arrive as requests that the same document allows, with the values that were given.

import type { ToolDefinition } from '@ai-agent/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryValue } from './support/arbitrary-value.ts';
import { call, openSpec, serve } from './support/http-tools.ts';
import { largeOpenapi } from './support/large-openapi.ts';
import { follow, OpenapiChecker } from './support/openapi-checker.ts';
import type { Doc, SpecParameter } from './support/openapi-decode.ts';
import { everyStyle } from './support/style-openapi.ts';

interface Case {
  readonly tool: ToolDefinition;
  readonly args: Readonly<Record<string, unknown>>;
  /** What has to arrive, by place and name. */
  readonly expected: Readonly<Record<string, unknown>>;
}

/** A call of one operation, as the document describes it. */
function arbitraryCase(
  document: Doc,
  { item, operation, tool }: { item: Doc; operation: Doc; tool: ToolDefinition },
): fc.Arbitrary<Case> {
  const given = [item.parameters, operation.parameters].flatMap((list) => (list ?? []) as readonly Doc[]);
  const parameters = given.map((one) => follow(document, one) as unknown as SpecParameter);
  const { requestBody } = operation as {
    requestBody?: { required?: boolean; content: Record<string, { schema: Doc }> };
  };
  const [media] = Object.values(requestBody?.content ?? {});
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const { name, schema, content } of parameters)
    model[argumentOf(name)] = arbitraryValue(
      schema ?? (content as Record<string, { schema: Doc }>)['application/json']?.schema ?? {},
      document,
    );
  if (media) model.body = arbitraryValue(media.schema, document);
  const required = parameters.filter((one) => one.required).map(({ name }) => argumentOf(name));
  const requiredKeys = requestBody?.required ? [...required, 'body'] : required;
  return fc.record(model, { requiredKeys }).map((args) => {
    const placed = parameters
      .filter(({ name, content }) => isSomething(args[argumentOf(name)], content !== undefined))
      .map((one) => [`${one.in} ${one.name}`, args[argumentOf(one.name)]]);
    const expected = Object.fromEntries(placed);
    return { tool, args, expected: args.body === undefined ? expected : { ...expected, body: args.body } };
  });
}

/** As models see it. */
function argumentOf(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').replace(/_$/, '');
}

/** Nothing of an empty list or object can be seen on the wire, unless it is JSON. */
function isSomething(value: unknown, isJson: boolean): boolean {
  if (isJson) return value !== undefined;
  return value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0);
}

async function holdAgainst(document: Doc, { basePath, numRuns }: { basePath: string; numRuns: number }): Promise<void> {
  const checker = new OpenapiChecker(document, basePath);
  const { url, heard } = await serve(async (request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await checker.check(request)));
  });
  const { tools } = await openSpec(document, { config: { baseUrl: `${url}${basePath}`, auth: { key: 'k' } } });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const operations = Object.values(document.paths as Record<string, Doc>).flatMap((item) =>
    ['get', 'put', 'post', 'delete'].flatMap((method) => {
      const operation = item[method] as Doc | undefined;
      const tool = byName.get(`rest__it_${operation?.operationId}`);
      return operation && tool ? [{ item, operation, tool }] : [];
    }),
  );
  expect(operations).toHaveLength(tools.length);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const cases = fc.constantFrom(...operations).chain((one) => arbitraryCase(document, one));
  await fc.assert(
    fc.asyncProperty(cases, async ({ tool, args, expected }) => {
      heard.length = 0;
      expect(ajv.validate(tool.inputSchema, args), ajv.errorsText()).toBe(true);
      const output = await call(tool, args);
      expect(output).toEqual({ type: 'json', value: { problems: [], arrived: expected } });
      expect(heard[0]?.headers['x-api-key']).toBe('k');
    }),
    { numRuns },
  );
}

describe.each(['3.0.3', '3.1.0'] as const)('%s', (version) => {
  test('every style and content type', async () => {
    await holdAgainst(everyStyle(version), { basePath: '/v1', numRuns: 200 });
  }, 60_000);

  test('a document as large as public ones are', async () => {
    await holdAgainst(largeOpenapi({ version }), { basePath: '', numRuns: 80 });
  }, 60_000);
});
