export class Connections {
  readonly given: unknown;
  constructor(given: unknown) {
    this.given = given;
  }
  async close(): Promise<void> {}
}
