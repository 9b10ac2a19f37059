import { Injectable, Logger } from '@nestjs/common';
import type { SecurityEvent } from './security-event.js';

type Listener = (event: SecurityEvent) => void;

/**
 * Tells everybody on this replica who wants to know what happened to accounts here, in the order it
 * happened. Listeners are called at once and must not take long; one that throws stops nobody.
 */
@Injectable()
export class SecurityEventsService {
  private readonly logger = new Logger(SecurityEventsService.name);
  private readonly listeners = new Set<Listener>();

  /** Listens from now on; returns what ends that. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A `detail` without facts is the reason of a refusal. */
  emit(event: SecurityEvent): void {
    const { detail: reason, facts = reason === undefined ? undefined : { reason } } = event;
    const told = facts === undefined ? event : { ...event, facts };
    for (const listener of this.listeners) {
      try {
        listener(told);
      } catch (error) {
        this.logger.error(`a listener failed on ${event.type}: ${String(error)}`);
      }
    }
  }
}
