// A fetch whose answers are heard by a lane.

import type { ModelLane } from './lane.ts';

type Fetch = typeof globalThis.fetch;

/** Not async: what waits for the answer would keep the request. */
export function watchedFetch(fetch: Fetch, lane: ModelLane): Fetch {
  return (input, init) => {
    const order = lane.send();
    return fetch(input, init).then((response) => {
      lane.hear(response, order);
      return response;
    });
  };
}
