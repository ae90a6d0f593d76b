import * as core from '@ai-agent/core';
import * as testing from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { catalogue } from '../src/errors.ts';

test('what core exports', () => {
  expect(Object.keys(core).sort()).toEqual(
    [
      ...[
        'AIAgentSession',
        'AgentError',
        'FairQueue',
        'LedgerFold',
        'MemoryCache',
        'MemoryJournal',
        'MemoryOutputs',
        'MemoryPauses',
        'MemoryWorkspace',
        'OpTreeFold',
        'Scope',
        'Written',
        'addTotals',
        'agentTool',
        'agentToolName',
        'asPartner',
        'asTool',
        'ask',
      ],
      ...[
        'callerHeaders',
        'callsOf',
        'catalogue',
        'checkAbove',
        'checkSchema',
        'childOf',
        'clientTool',
        'conversationsOf',
        'costOf',
        'createSlots',
        'defaultBudget',
        'defaultLimits',
        'defaultSettings',
        'defaultTexts',
        'defineAgent',
        'defineTool',
        'factsOfCaller',
        'fail',
        'guardSchema',
        'head',
        'headersOfCaller',
      ],
      ...[
        'finSummaryOf',
        'incompleteIn',
        'inOneLine',
        'inProcess',
        'isBase64',
        'isAgentError',
        'isHere',
        'isCancellation',
        'isOfAnswer',
        'isSecretName',
        'withoutKeys',
        'leastLimits',
        'levelsOf',
        'mayAsk',
        'messageOf',
        'isObject',
        'jsonReportOf',
        'journaled',
        'ledgerOf',
        'moneyOf',
        'tokenWords',
        'narrower',
        'nearest',
        'noTotals',
        'oneLine',
        'opTreeOf',
        'outcomeOf',
        'ownSchema',
        'payloadHead',
        'pluginTime',
      ],
      ...[
        'checkBudget',
        'inputFailure',
        'readAnswer',
        'readCall',
        'resultOf',
        'showInstructions',
        'toAgentInput',
        'toFailedDocument',
        'toOutcomeDocument',
        'toPrompt',
      ],
      ...[
        'SessionRecord',
        'compareNames',
        'continuationOf',
        'firstRound',
        'isUnderWay',
        'limitOf',
        'nextRound',
        'sessionStatuses',
        'takesTime',
      ],
      ...['forgotten', 'nextHead', 'prefixesOf', 'roundIdOf', 'roundNumberOf', 'waitsOf', 'withUsage', 'withoutEnd'],
      ...['reasoningLevels', 'runBranch', 'runInside', 'scopeOf', 'sizeOf', 'sleep', 'tokensOf', 'utf8Bytes'],
      // Identity and depth of agents, for the packages that load, serve and call them.
      ...['callingFrom', 'checkDepth', 'hash', 'idOf', 'isTooDeep', 'mostLevels', 'readAncestor', 'toAncestor'],
      ...['textOf', 'toFailure', 'toLogLine', 'toLogRecord', 'toMatcher', 'toRoleSuffix', 'toSafeName', 'userMessage'],
    ].sort(),
  );
});

test('what core/testing exports', () => {
  expect(Object.keys(testing).sort()).toEqual(
    [
      'FakeClock',
      'countingIds',
      'fakePorts',
      'scriptedModel',
      'stepOf',
      'strict',
      'toCallPart',
      'toPieces',
      'toReply',
    ].sort(),
  );
});

test('the codes', () => {
  expect(Object.keys(catalogue)).toHaveLength(87);
});
