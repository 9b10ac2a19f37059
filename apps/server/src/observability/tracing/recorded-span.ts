import { type Attributes, newSpanId, type Span, type SpanDescription } from '#libs/trace';

/** A span that is over. Times are epoch milliseconds, with fractions. */
export interface EndedSpan extends Omit<SpanDescription, 'isLeaf'> {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Of one that failed. */
  readonly errorType: string | undefined;
}

/** So that a call that runs ten thousand statements is not all that is heard of a replica. */
const MOST = 500;

/** What the spans of a request have in common. */
export class Recording {
  private begun = 0;
  private readonly monotonicToEpoch = Date.now() - performance.now();

  constructor(
    readonly traceId: string,
    readonly take: (span: EndedSpan) => void,
  ) {}

  /** Undefined once there are enough of them. */
  begin(description: SpanDescription, parentId: string | undefined): RecordedSpan | undefined {
    if (this.begun === MOST) return undefined;
    this.begun += 1;
    return new RecordedSpan(this, description, parentId);
  }

  nowMs(): number {
    return this.monotonicToEpoch + performance.now();
  }
}

/**
 * A piece of a request. What was started for a request and never ends, as a timer, is no part of it: once a piece
 * has ended, nothing more begins below it.
 */
export class RecordedSpan implements Span {
  readonly id = newSpanId();
  private readonly startMs: number;
  private name: string;
  private attributes: Attributes;
  private isOver = false;

  constructor(
    private readonly recording: Recording,
    private readonly description: SpanDescription,
    private readonly parentId: string | undefined,
  ) {
    this.startMs = recording.nowMs();
    this.name = description.name;
    this.attributes = description.attributes ?? {};
  }

  begin(description: SpanDescription): Span | undefined {
    if (this.isOver || this.description.isLeaf === true) return undefined;
    return this.recording.begin(description, this.id);
  }

  set(attributes: Attributes): void {
    this.attributes = { ...this.attributes, ...attributes };
  }

  rename(name: string): void {
    this.name = name;
  }

  end(errorType?: string): void {
    if (this.isOver) return;
    this.isOver = true;
    const { id, parentId, name, startMs, attributes, recording } = this;
    const { kind } = this.description;
    const { traceId } = recording;
    const endMs = recording.nowMs();
    const span = { traceId, id, parentId, name, kind, startMs, endMs, attributes, errorType };
    recording.take(span);
  }
}
