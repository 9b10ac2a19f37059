import { Injectable } from '@nestjs/common';
import { type DeliveredEvent, EventSink } from 'gatehouse';

/** A message for Acme's broker, which keeps those of a key in order, and of an id one. */
export interface AcmeMessage {
  readonly key: string;
  readonly id: string;
  readonly text: string;
}

/** Acme's broker, as far as events need it. */
export abstract class AcmeBroker {
  /** Resolves when the message is safe. */
  abstract publish(message: AcmeMessage, signal: AbortSignal): Promise<void>;
}

@Injectable()
export class AcmeEventSink extends EventSink {
  constructor(private readonly broker: AcmeBroker) {
    super();
  }

  override deliver({ id, ...event }: DeliveredEvent, signal: AbortSignal) {
    const key = event.data.user ?? id;
    return this.broker.publish({ key, id, text: JSON.stringify(event) }, signal);
  }
}
