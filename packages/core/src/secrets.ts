// Values that no fact, hint, error or report of a tree may show.

export class Secrets {
  readonly #values = new Set<string>();

  /** From now on the value is struck out wherever it would be shown. */
  hide(value: string): void {
    this.#values.add(value);
  }
}
