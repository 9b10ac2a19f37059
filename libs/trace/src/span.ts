import { randomUUID } from 'node:crypto';

/** By names of OpenTelemetry's semantic conventions. Nothing that is secret, or that strangers make up at length. */
export type Attributes = Readonly<Record<string, string | number>>;

/** A piece of work that takes time. */
export interface SpanDescription {
  /** One of few: nothing of what was sent. */
  readonly name: string;
  /** `client` for what waits for another service, a database included. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: Attributes;
  /** What is done within it is a part of it, and no span of its own. */
  readonly isLeaf?: boolean;
}

/** A piece of work that goes on and is recorded. */
export interface Span {
  /** 16 digits of lower-case hexadecimal, not all 0. */
  readonly id: string;
  /** A piece of this one; undefined where it is not recorded, as when this one has ended. */
  begin(description: SpanDescription): Span | undefined;
  set(attributes: Attributes): void;
  /** `errorType` says, in a word, why it failed. Once; later calls change nothing. */
  end(errorType?: string): void;
}

/** Of the digits of an id that Node has in store, all of which are random: asking for random bytes takes ten times as long. */
export function newSpanId(): string {
  const id = randomUUID();
  return id.slice(0, 8) + id.slice(-8);
}
