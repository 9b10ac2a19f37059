import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import { type HeldBytes, requestAccount, RequestMember, whileWaiting } from '#libs/platform';
import { partyOf } from '../visitor-limit/visitor.middleware.js';
import { RefusalError } from '../http/refusal.error.js';

interface Holder {
  readonly bodies: HeldBytes;
  /** Called when a body is read. Shared by all requests: a closure per request would keep its request in memory. */
  readonly nameOf: (request: Request) => string;
}

const holders = new RequestMember<Holder>();

/** Runs before anything reads a body: counts the bytes of each body in `bodies` for its visitor. */
export function countBodyMemory(bodies: HeldBytes, clientAddressHeader?: string) {
  const nameOf = (request: Request) => `visitor ${partyOf(request, clientAddressHeader).key}`;
  const holder = { bodies, nameOf };
  return (request: Request, _response: Response, next: NextFunction) => {
    holders.set(request, holder);
    next();
  };
}

/** Counts the body, the answer and transactions for the authenticated account of the request, not for its visitor. */
export function chargeBodyTo(request: Request, userId: string): void {
  requestAccount.enter(userId, () => {});
  const holder = holders.get(request);
  if (holder) holders.set(request, { ...holder, nameOf: () => `account ${userId}` });
}

/** The account or visitor for which the bytes of a request count. */
export const holderOf = (request: Request): string =>
  holders.get(request)?.nameOf(request) ?? 'unknown';

/** What came of a body that nothing reads yet. */
class UnreadBody {
  isCut = false;

  constructor(
    private readonly request: IncomingMessage,
    private readonly holder: Holder,
    private readonly name: string,
  ) {}

  count(bytes: number) {
    if (this.holder.bodies.grow(this.name, this, bytes)) return;
    this.release();
    this.cut();
  }

  release() {
    this.holder.bodies.set(this.name, this, 0);
  }

  /** Drops what came. `readBytes` then refuses it; nothing else may take the rest for the whole. */
  cut() {
    this.isCut = true;
    this.request.resume();
  }
}

const unread = new RequestMember<UnreadBody>();

/** Node keeps up to 64 KiB of a body that waits; less than this is not worth counting. */
const MIN_UNREAD_BYTES = 4 * 1024;

/** Whether what came of a body was dropped, so that the rest has to be, too. */
export const isBodyCut = (request: IncomingMessage): boolean => unread.get(request)?.isCut === true;

/** Counts what came of a body and waits to be read, as `bytes` of memory; drops one too much. */
export function countUnread(request: IncomingMessage, bytes: number): void {
  const holder = holders.get(request);
  if (!holder || bytes < MIN_UNREAD_BYTES || request.readableFlowing) return;
  let counted = unread.get(request);
  if (!counted) {
    counted = new UnreadBody(request, holder, holder.nameOf(request as Request));
    unread.set(request, counted);
    request.once('close', releaseUnread);
  }
  counted.count(bytes);
}

function releaseUnread(this: IncomingMessage) {
  unread.get(this)?.release();
}

interface Checks {
  readonly list: readonly (() => Promise<unknown>)[];
  /** Whether the body was here when the first of them had passed. */
  readonly wasWhole: boolean;
}

const checks = new RequestMember<Checks>();

/** Runs `check`, which rejects when the request may not pass; `readBytes` repeats it after a body that came later. */
export async function checkAroundBody<T>(
  request: IncomingMessage,
  check: () => Promise<T>,
): Promise<T> {
  const passed = await check();
  // Most bodies come with the head, and cost no second look-up.
  const { list, wasWhole } = checks.get(request) ?? { list: [], wasWhole: request.complete };
  checks.set(request, { list: [...list, check], wasWhole });
  return passed;
}

/** Repeats what `checkAroundBody` has run for the request, which had to wait since. Rejects as these. */
export async function checkAgain(request: object): Promise<void> {
  for (const check of checks.get(request)?.list ?? []) await check();
}

/** What a body that is read waits for. */
interface BodyTurns {
  /** Before anything of it is read. */
  readonly toRead?: (() => Promise<unknown>) | undefined;
  /** When it is whole: it counts until then. */
  readonly toUse?: () => Promise<unknown>;
}

/**
 * Reads a whole body of at most `limit` bytes, counted against the sender as they arrive. Throws RefusalError 413, 400
 * when it breaks off, 503 when too many bytes are held, and as the guards when access ended meanwhile.
 */
export async function readBytes(
  body: Readable,
  limit: number,
  contentLength?: string,
  { toRead, toUse }: BodyTurns = {},
): Promise<Buffer> {
  const held = new HeldBody(body);
  try {
    if (Number(contentLength) > limit) throw tooLarge();
    await toRead?.();
    const bytes = await whileWaiting(() => held.collect(limit));
    if (toRead || checks.get(body)?.wasWhole === false) await held.until(checkAgain(body));
    if (toUse) await held.until(toUse());
    return bytes;
  } catch (error) {
    // Drains the rest of the body: the connection would stay blocked behind it.
    body.resume();
    throw error;
  } finally {
    held.release();
  }
}

class HeldBody {
  isWhole = false;
  /** For `HeldBytes`; until `collect` is called there is nothing to cut. */
  cut = () => {};
  private readonly holder: Holder | undefined;
  private readonly name: string;

  constructor(private readonly body: Readable) {
    this.holder = holders.get(body);
    this.name = this.holder?.nameOf(body as Request) ?? '';
  }

  /** Copies the chunks into one growing buffer: thousands of small ones take far more memory than their length. */
  async collect(limit: number): Promise<Buffer> {
    const { body } = this;
    const waited = unread.get(body);
    waited?.release();
    if (waited?.isCut) {
      waited.isCut = false;
      throw tooMuchAtOnce();
    }
    if (!body.readable) throw brokenOff();
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    let memory = Buffer.alloc(0);
    let length = 0;
    const leave = (settle: () => void) => {
      body.off('data', take).off('end', end).off('error', fail).off('close', fail);
      settle();
    };
    const take = (chunk: Buffer) => {
      const size = length + chunk.length;
      if (size > limit) return leave(() => reject(tooLarge()));
      if (size > memory.length) {
        const capacity = Math.max(size, Math.min(2 * memory.length, limit));
        if (this.holder?.bodies.grow(this.name, this, capacity) === false) return this.cut();
        const larger = Buffer.allocUnsafeSlow(capacity);
        memory.copy(larger, 0, 0, length);
        memory = larger;
      }
      chunk.copy(memory, length);
      length = size;
    };
    const end = () => leave(() => resolve(memory.subarray(0, length)));
    const fail = (cause?: Error) => leave(() => reject(brokenOff(cause)));
    this.cut = () => leave(() => reject(tooMuchAtOnce()));
    body.on('data', take).once('end', end).once('error', fail).once('close', fail);
    await promise;
    this.isWhole = true;
    return promise;
  }

  /** Waits with a whole body. @throws RefusalError 503 when it is cut */
  async until(event: Promise<unknown>): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.cut = () => reject(tooMuchAtOnce());
    await Promise.race([event, promise]);
  }

  release(): void {
    this.holder?.bodies.set(this.name, this, 0);
  }
}

const tooLarge = () => new RefusalError(413, 'request too large');

const brokenOff = (cause?: Error) => new RefusalError(400, 'body could not be read', {}, { cause });

export const tooMuchAtOnce = () =>
  new RefusalError(503, 'too much is being sent at once; try again in a second', {
    'Retry-After': '1',
  });
