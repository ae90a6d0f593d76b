// What a request knows once it is inside.

import type { Origins } from './origins.ts';
import type { Visitor } from './visitor.ts';

export interface Inside {
  readonly Variables: {
    visitor: Visitor;
    /** For headends that are stricter than the door. */
    origins: Origins;
  };
}
