type Listener<Event> = (event: Event) => void;

/**
 * Listeners of one kind of event. Unlike those of Node's EventEmitter they do not depend on each
 * other: when one throws, the others are called all the same, and one that was taken off meanwhile is not called.
 */
export class Emitter<Event = void> {
  private readonly listeners = new Set<{ readonly listener: Listener<Event> }>();

  /** `report` gets what a listener throws. */
  constructor(private readonly report: (error: unknown) => void) {}

  get isEmpty() {
    return this.listeners.size === 0;
  }

  /** Returns a function that takes the listener off; the same function may listen more than once. */
  on(listener: Listener<Event>): () => void {
    const entry = { listener };
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }

  emit(event: Event): void {
    for (const entry of Array.from(this.listeners)) {
      if (!this.listeners.has(entry)) continue;
      try {
        entry.listener(event);
      } catch (error) {
        this.report(error);
      }
    }
  }
}
