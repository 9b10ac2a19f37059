/** How much of the daily credits connections used; the application, which keeps the budget, replaces it. */
export class ConnectionUsage {
  /** Credits since 00:00 UTC, of the connections that used any. */
  async usedToday(_connectionIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return new Map();
  }
}
