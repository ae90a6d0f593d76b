// Problems of a configuration file, told under the code of such files.

import { type Finding, type Problem, Problems } from '../problem.ts';

/** What the kinds call `key-invalid` becomes `config-invalid`; the rest is passed on as it is. */
export class ConfigProblems extends Problems {
  readonly #problems: Problems;

  constructor(problems: Problems) {
    super();
    this.#problems = problems;
  }

  override get all(): readonly Problem[] {
    return this.#problems.all;
  }

  override get errorCount(): number {
    return this.#problems.errorCount;
  }

  override add(severity: Problem['severity'], finding: Finding): void {
    const code = finding.code === 'key-invalid' ? 'config-invalid' : finding.code;
    this.#problems.add(severity, { ...finding, code });
  }
}
