// Sessions that outlive their process: the whole surface of the package, by hand.

export { defaultRetention, type Retention, type Store, type StoreOptions } from './store.ts';
