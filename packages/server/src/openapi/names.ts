// Names in the document: safe for every reader of OpenAPI, and never twice.

export class Names {
  /** Some readers write a file for each: letters alone do not tell two apart. */
  readonly #taken = new Set<string>();

  /** Letters, digits and underscores; a number behind it when another has it already. */
  take(wanted: string): string {
    const safe = wanted.replace(/[^A-Za-z0-9]+/g, '_').slice(0, 100);
    let name = safe;
    for (let next = 2; this.#taken.has(name.toLowerCase()); next++) name = `${safe}_${next}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
