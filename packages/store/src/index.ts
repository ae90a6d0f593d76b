// Sessions that outlive their process: the whole surface of the package, by hand.

export { openStore } from './open-store.ts';
export { type Deleted, defaultRetention, type Retention, type Store, type StoreOptions } from './store.ts';
