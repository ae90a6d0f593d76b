export class FileTokenStore {
  readonly given: unknown;
  constructor(given: string) {
    this.given = given;
  }
  async get(_: string): Promise<string | undefined> {
    return undefined;
  }
  async set(): Promise<void> {}
  async delete(): Promise<void> {}
}
