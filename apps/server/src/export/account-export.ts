import type { JsonObject } from '#libs/accounts';

/** Adds what a team keeps about an account to the export of its data. Of several extensions the last one's counts. */
export abstract class AccountExport {
  static readonly portOf = 'accountExport';

  /**
   * What there is about this account, as JSON: a member for each name, which become the members of `extensions`. Told to
   * the person and to administrators, so leave out secrets. It is asked before anything is sent: if it rejects, the
   * export fails with 503 rather than look complete. What it resolves with is in memory until it is sent: beyond 8 million
   * characters people get 503, and administrators the export.
   */
  abstract dataOf(userId: string): Promise<JsonObject>;
}

export class NothingAdded extends AccountExport {
  override async dataOf() {
    return {};
  }
}
