/** Who listens to something in this process; the same function may listen more than once. */
export class Audience<News = void> {
  private readonly seats = new Set<{ readonly listener: (news: News) => void }>();

  /** `report` gets what a listener throws. */
  constructor(private readonly report: (error: unknown) => void) {}

  get isEmpty() {
    return this.seats.size === 0;
  }

  /** Returns what ends the listening. */
  join(listener: (news: News) => void): () => void {
    const seat = { listener };
    this.seats.add(seat);
    return () => void this.seats.delete(seat);
  }

  /** Tells whoever listens now; a listener that throws stops nobody, one that left meanwhile hears nothing. */
  tell(news: News): void {
    for (const seat of Array.from(this.seats)) {
      if (this.seats.has(seat)) this.tellOne(seat.listener, news);
    }
  }

  private tellOne(listener: (news: News) => void, news: News) {
    try {
      listener(news);
    } catch (error) {
      this.report(error);
    }
  }
}
