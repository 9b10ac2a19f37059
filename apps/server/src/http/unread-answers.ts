import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Interval } from '@nestjs/schedule';
import type { Express, Response } from 'express';
import { holderOf } from '#libs/accounts';
import { HeldBytes, onExchangeEnd } from '#libs/platform';

const CHECK_MS = 1_000;
/** An answer is cut when none of its bytes was taken in this number of checks. */
const STALLED_CHECKS = 10;

/** Longer texts are passed on as bytes: Node counts their characters, and holds three bytes for each. */
const MAX_TEXT_LENGTH = 16 * 1024;

interface Unread {
  readonly holder: string;
  readonly cut: () => void;
  /** What was left of the connection's current write at the last check, and for how many checks it has been that. */
  left: number;
  unchanged: number;
}

/**
 * Bounds the memory for answers that their clients do not read: for the account or visitor that asked, and in all.
 * Only what the kernel does not take at once counts. An answer of which the client takes no byte for 10 seconds is cut
 * too; an event stream that has nothing to send may be silent.
 */
export class UnreadAnswers {
  /** Answers that were cut, by what they had too much of. */
  readonly cut = { bytes: 0, time: 0 };
  private readonly unread = new Map<ServerResponse, Unread>();

  constructor(
    readonly held = new HeldBytes(),
    private readonly stalledChecks = STALLED_CHECKS,
  ) {}

  /** Watches the answers to all requests of the application, through the methods that they inherit. */
  watch({ response: inherited }: Express): void {
    const { write, end } = ServerResponse.prototype;
    const look = (response: Response) => {
      if (response.writableLength > 0 && !response.destroyed) this.count(response);
    };
    Object.assign(inherited, {
      write(this: Response, ...args: unknown[]) {
        const isTaken: unknown = Reflect.apply(write, this, args);
        // Node passes on what was written when this turn ends.
        process.nextTick(look, this);
        return isTaken;
      },
      end(this: Response, chunk: unknown, ...others: unknown[]) {
        const isLong = typeof chunk === 'string' && chunk.length > MAX_TEXT_LENGTH;
        const bytes = isLong ? bytesOf(chunk, encodingOf(others)) : chunk;
        Reflect.apply(end, this, [bytes, ...others]);
        if (this.req.socket.destroyed) discard(this);
        look(this);
        return this;
      },
    });
  }

  private count(response: Response) {
    const answer = this.unread.get(response) ?? this.begin(response);
    this.held.set(answer.holder, answer, response.writableLength);
  }

  private begin(response: Response): Unread {
    const cut = () => this.end(response, 'bytes');
    const answer = { holder: holderOf(response.req), cut, left: 0, unchanged: 0 };
    this.unread.set(response, answer);
    onExchangeEnd(response, () => this.forget(response));
    return answer;
  }

  /** Cuts the answers of which nothing was taken for 10 seconds. */
  @Interval('unread-answers', CHECK_MS)
  check() {
    for (const [response, answer] of this.unread) {
      // Later answers of a connection have no socket yet.
      if (!response.socket) continue;
      if (response.writableLength === 0) this.held.set(answer.holder, answer, 0);
      const left = leftToWrite(response.socket);
      answer.unchanged = left > 0 && left === answer.left ? answer.unchanged + 1 : 0;
      answer.left = left;
      if (answer.unchanged >= this.stalledChecks) this.end(response, 'time');
    }
  }

  /** Destroys the connection, with all its answers. */
  private end({ req: { socket } }: ServerResponse, reason: keyof UnreadAnswers['cut']) {
    this.cut[reason] += 1;
    for (const other of this.unread.keys()) {
      if (other.req.socket !== socket) continue;
      discard(other);
      this.forget(other);
    }
    socket.destroy();
  }

  private forget(response: ServerResponse) {
    const answer = this.unread.get(response);
    if (answer) this.held.set(answer.holder, answer, 0);
    this.unread.delete(response);
  }
}

/**
 * Drops what Node keeps for an answer behind another one of its connection. It would do so only when the connection
 * has closed, after everything that came from all connections in this turn was answered.
 */
const discard = (response: ServerResponse) =>
  void Object.assign(response, { outputData: [], outputSize: 0 });

/** In memory of their own: in Node's pool an answer of 17 KiB would keep 64 KiB. */
function bytesOf(text: string, encoding: BufferEncoding): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text, encoding));
  bytes.write(text, encoding);
  return bytes;
}

const encodingOf = ([encoding]: readonly unknown[]) =>
  typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8';

/**
 * What the kernel has not taken yet of the current write. Node's own socket timeout looks at it too, but would end an
 * answer only after 20 seconds, and begins again with every byte that the client sends.
 */
const leftToWrite = (socket: Socket): number =>
  (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0;
