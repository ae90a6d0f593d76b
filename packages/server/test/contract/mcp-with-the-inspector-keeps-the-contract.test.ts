// The promise: whoever asks with the inspector of the protocol's makers is answered as everybody is. Each question is a process, so that not all of them are asked on every way.

import { describe } from 'vitest';
import { overHttp, overSse, overStdio } from '../support/mcp-routes.ts';
import { asksAndIsAnswered } from './asks.ts';
import { keepsTheContract } from './conversations.ts';
import { inspectorDoor } from './inspector-door.ts';

keepsTheContract(inspectorDoor({ route: overHttp, transport: 'http', era: 'modern' }));

const others = [
  inspectorDoor({ route: overHttp, transport: 'http', era: 'legacy' }),
  inspectorDoor({ route: overSse, transport: 'sse', era: 'legacy' }),
  inspectorDoor({ route: overStdio, transport: 'stdio', era: 'modern' }),
];

for (const door of others) describe(door.name, () => asksAndIsAnswered(door));
