import { Injectable, Logger } from '@nestjs/common';
import type { SecurityEvent } from './security-event.js';

type Listener = (event: SecurityEvent) => void;

/**
 * Emits security events to all listeners on this replica, in the order they happen. Listeners are called
 * synchronously and must return quickly; when one throws, the others are still called.
 */
@Injectable()
export class SecurityEventsService {
  private readonly logger = new Logger(SecurityEventsService.name);
  private readonly listeners = new Set<Listener>();

  /** Adds a listener; returns a function that removes it. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A `detail` without `facts` becomes the reason in `facts`. */
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
