export class FileTokenStore {
  async get(_k: string): Promise<string | undefined> {
    return undefined;
  }
  async set() {}
  async delete() {}
}
