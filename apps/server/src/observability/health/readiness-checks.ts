import { Dependency } from './dependency.js';

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** The names of the built-in checks. */
const TAKEN = ['database', 'redis'];

/** Readiness checks for what a team's extension needs beside the service's storages. */
export class ReadinessChecks {
  private readonly checks: Dependency[] = [];

  /**
   * Holds `/readyz` at 503, under that name, while `probe` rejects or takes longer than a second. The probe runs at
   * most once a second, and never while its last run is pending. @throws for a name that is taken, or is not 1 to 32
   * of a-z, 0-9 and -, a letter first
   */
  add(name: string, probe: () => Promise<unknown>): void {
    if (!NAME.test(name)) throw new Error(`"${name}" cannot be the name of a readiness check`);
    if ([...TAKEN, ...this.checks.map((check) => check.name)].includes(name)) {
      throw new Error(`there is a readiness check "${name}" already`);
    }
    this.checks.push(new Dependency(name, async () => probe()));
  }

  get all(): readonly Dependency[] {
    return this.checks;
  }
}
