// The spellings of NAME=value that people use, and a line that is none of them.

import { expect, test } from 'vitest';
import { parseEnvFile } from '../src/config/env-file.ts';
import { Problems } from '../src/problem.ts';

const parse = (text: string) => {
  const problems = new Problems();
  return {
    variables: Object.fromEntries(parseEnvFile(text, '.ai-agent.env', problems).variables),
    problems: problems.all,
  };
};

test.each<[string, string, string]>([
  ['as it is', 'KEY=value', 'value'],
  ['with export', 'export KEY=value', 'value'],
  ['with spaces around', '  KEY = value  ', 'value'],
  ['with an equals sign in it', 'KEY=a=b==', 'a=b=='],
  ['with a comment behind it', 'KEY=value # of the house', 'value'],
  ['with a # that is no comment', 'KEY=value#1', 'value#1'],
  ['a # at its beginning', 'KEY=#1', '#1'],
  ['empty', 'KEY=', ''],
  ['empty with a comment', 'KEY= # later', ''],
  ['in double quotes', 'KEY="two words"', 'two words'],
  ['in double quotes with a #', 'KEY="a # b" # c', 'a # b'],
  ['in double quotes with escapes', String.raw`KEY="a\nb \"c\" d\\n \t"`, String.raw`a${'\n'}b "c" d\n \t`],
  ['in single quotes', "KEY='two words'", 'two words'],
  ['in single quotes, where nothing is escaped', String.raw`KEY='a\nb "c" # d'#e`, String.raw`a\nb "c" # d`],
  ['empty in quotes', 'KEY=""', ''],
  ['with a quote inside', "KEY=it's", "it's"],
  ['with a variable, which is not filled', 'KEY=$HOME', '$HOME'],
  ['the later of two', 'KEY=one\nKEY=two', 'two'],
])('a value %s', (_, line, value) => {
  expect(parse(line)).toEqual({ variables: { KEY: value }, problems: [] });
});

test('comments, blank lines, Windows line ends and a byte order mark are no trouble', () => {
  const text = '\uFEFFONE=1\r\n\r\n# a comment\r\n  # another\r\n\texport TWO="2"\r\nthree_3=3 \r\n';
  expect(parse(text)).toEqual({ variables: { ONE: '1', TWO: '2', three_3: '3' }, problems: [] });
});

test.each([
  ['no equals sign', 'hunter2'],
  ['no name', '=hunter2'],
  ['a name with a hyphen', 'MY-KEY=hunter2'],
  ['a name that begins with a digit', '1KEY=hunter2'],
  ['an open double quote', 'KEY="hunter2'],
  ['an open single quote', "KEY='hunter2"],
  ['something behind a quote', 'KEY="hunter2" hunter2'],
  ['a quote that is escaped and not closed', String.raw`KEY="hunter2\"`],
])('%s is an error with its line, which does not show what is there; the rest counts', (_, line) => {
  const { variables, problems } = parse(`ONE=1\n\n${line}\nTWO=2`);
  expect(variables).toEqual({ ONE: '1', TWO: '2' });
  expect(problems).toMatchObject([{ severity: 'error', code: 'env-file-invalid', file: '.ai-agent.env', line: 3 }]);
  expect(JSON.stringify(problems)).not.toContain('hunter2');
});
