// The promise: docs/api.md has every name that ai-agent exports, and the very fields of the interfaces it describes.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = read('docs/api.md');
const globs = ['core/src/**/*.ts', 'models/src/**/*.ts', 'agents/src/**/*.ts', 'cli/src/{agent-files,kept-library}.ts'];
const sources = globs.flatMap((glob) => globSync(`packages/${glob}`, { cwd: root }).sort());
const code = sources.map(read).join('\n');

/** An outcome is made of these. */
const endings = ['Completed', 'Stopped', 'NeedsUserInput', 'NeedsClientTools', 'Failed', 'Cancelled'];
const madeOf: Readonly<Record<string, readonly string[]>> = {
  Outcome: [...endings, 'OutcomeFigures', 'OutcomeRecords'],
  AIAgentSessionConfig: ['AIAgentSessionConfig', 'Keeping'],
};

test('every name that ai-agent exports stands on the page', () => {
  const names = exportsOf('packages/cli/src/index.ts');
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !new RegExp(`\`(?:new )?${name}[\`(<]`).test(page))).toEqual([]);
});

test('the interfaces people write and read most have a table', () => {
  const wanted = ['Agent', 'Limits', 'ModelSettings', 'AIAgentSessionConfig', 'SessionRun', 'Outcome', 'Failure'];
  const more = ['ToolDefinition', 'ToolContext', 'AgentTool', 'Decide', 'Verdict', 'ProviderConfig', 'Ports', 'Ledger'];
  const guards = ['Budget', 'Question', 'Price', 'SlotsOptions', 'BudgetPort', 'PauseStore', 'OutputStore'];
  const outside = ['Permissions', 'ToolQueue', 'ResultCache', 'WorkspaceStore'];
  const files = ['LoadOptions', 'LoadedAgent', 'SubagentRegistry', 'Problem', 'ModelSource'];
  expect(
    [...wanted, ...more, ...guards, ...outside, ...files].filter((name) => fieldsOnPage(name).length === 0),
  ).toEqual([]);
});

test.each(tables())('the fields of %s are those of the page', (name) => {
  const inCode = (madeOf[name] ?? [name]).flatMap(fieldsOf);
  expect(inCode.length).toBeGreaterThan(0);
  expect(fieldsOnPage(name)).toEqual([...new Set(inCode)].sort());
});

test('the defaults on the page are those of the code', () => {
  const {
    defaultLimits = '',
    defaultSettings = '',
    defaultBudget = '',
  } = Object.fromEntries(
    [...code.matchAll(/^export const (default\w+)[^=]*= \{([^}]*)\}/gm)].map(([, name, body]) => [name, body]),
  );
  const [limits, settings] = [rowsOf(`${defaultLimits},${defaultBudget}`), rowsOf(defaultSettings)];
  expect([limits.length, settings.length]).toEqual([12, 2]);
  expect([...limits, ...settings].filter((row) => !page.includes(row))).toEqual([]);
  const everyLimit = read('docs/limits-and-budgets.md');
  expect(limits.filter((row) => !everyLimit.includes(row))).toEqual([]);
});

/** How a table begins the row of each default. */
function rowsOf(body: string): string[] {
  return [...body.matchAll(/(\w+): ([\d._]+)/g)].map(
    ([, field, value = '']) => `| \`${field}\` | ${value.replaceAll('_', '')}`,
  );
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
}

function exportsOf(path: string): string[] {
  const lists = [...read(path).matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','));
  return lists.map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== '');
}

/** Headings that are a name in backticks, and have a table of fields below. */
function tables(): string[] {
  return [...page.matchAll(/^### `(\w+)`$/gm)].map(([, name = '']) => name).filter((name) => name !== 'ToolOutput');
}

function fieldsOnPage(name: string): string[] {
  const section = page.split(/^##+ /m).find((text) => text.startsWith(`\`${name}\`\n`)) ?? '';
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, field = '']) => field).sort();
}

/** Its own and those of what it extends; a trace has a page of its own. */
function fieldsOf(name: string): string[] {
  const [, parents = '', body = ''] =
    new RegExp(`(?:interface|class) ${name}(?: extends ([\\w, ]+))? \\{\\n([\\s\\S]*?)\\n\\}`).exec(code) ?? [];
  const own = [...body.matchAll(/^ {2}(?:readonly |(?:static )?async |get (?=\w))?(\w+)\??[:(<]/gm)].map(
    ([, field = '']) => field,
  );
  const inherited = parents.split(', ').filter((parent) => parent !== '' && parent !== 'Trace');
  return [...inherited.flatMap(fieldsOf), ...own];
}
