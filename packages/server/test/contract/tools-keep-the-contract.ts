// The contract for agents as tools on one way to them: whole with every client that shows forms, and the questions again with those that show none.

import { describe } from 'vitest';
import { clientKinds } from '../support/mcp-clients.ts';
import type { McpRoute } from '../support/mcp-routes.ts';
import { keepsTheContract } from './conversations.ts';
import { mcpDoor } from './mcp-door.ts';
import { asksBack } from './questions.ts';

export function toolsKeepTheContract(route: McpRoute): void {
  for (const kind of clientKinds) {
    keepsTheContract(mcpDoor({ route, kind, canElicit: true }));
    // Nothing else is different for them.
    const formless = mcpDoor({ route, kind, canElicit: false });
    describe(formless.name, () => asksBack(formless));
  }
}
