export class Queues {
  readonly given: unknown;
  constructor(given: unknown) {
    this.given = given;
  }
}
