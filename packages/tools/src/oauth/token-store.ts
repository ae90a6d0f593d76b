// Where what servers gave us to come back with is kept: tokens, and who we are to them. Secrets, all of it.

/** By the address of a server and whose settings asked: one text for each, read and written whole. */
export interface TokenStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Does work that nobody else who has the same store does at the same time. Who still waits for it when the signal says so gives up,
   * and rejects with its reason. @default done at once
   */
  exclusively?<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}
