// Options of a run that no file can say: flags, --override and defaults of the configuration alone.

import { isTrue, textOrTrue, whole } from './kinds.ts';
import { row } from './rows.ts';

export const switches = [
  row({
    key: 'stream',
    about: 'Whether models stream.',
    kind: isTrue,
    otherwise: 'while somebody watches',
    said: ['flag', 'override', 'defaults'],
    isSwitch: true,
    field: ['settings', 'stream'],
  }),
  row({
    key: 'interleaved',
    about: 'Under which field earlier reasoning is sent back; true for the usual one.',
    kind: textOrTrue,
    otherwise: 'what the configuration says',
    said: ['override'],
    setUp: 'interleaved',
  }),
  row({
    key: 'contextWindow',
    about: 'Tokens a conversation may have, for every model.',
    kind: whole(1_024),
    otherwise: 'what the configuration says, what is known of the model, or 131072',
    said: ['override'],
    setUp: 'contextWindow',
  }),
  row({
    key: 'mcpInitConcurrency',
    about: 'Servers that are started at once.',
    kind: whole(1),
    otherwise: 'all of them',
    said: ['flag', 'override', 'defaults'],
  }),
  row({
    key: 'no-batch',
    about: 'Takes `batch` away, whatever `tools` says.',
    kind: isTrue,
    said: ['override'],
  }),
  row({
    key: 'no-progress',
    about: 'The same as progress=false.',
    kind: isTrue,
    said: ['override'],
  }),
];
