// The library as a contender of an outside harness: `setup` gets a scenario (scenario.ts says which), `run(id)` gives the
// last words of one session.

import { ours } from './ours.ts';

export const meta = { packages: [] };
export const setup = ours;
