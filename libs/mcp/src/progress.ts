import type { JSONRPCRequest, ProgressToken } from '@modelcontextprotocol/server';
import type { EventStream } from './answer.js';
import type { ToolRun } from './call.js';

const MAX_A_SECOND = 10;
const SECOND_MS = 1_000;
const MAX_MESSAGE_LENGTH = 1_000;
/** Bounded because each notification repeats it. */
const MAX_TOKEN_LENGTH = 256;

interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Sends the progress of a running call: increasing numbers, at most ten a second, the latest one at its end. */
export class ProgressReports {
  private last = Number.NEGATIVE_INFINITY;
  private waiting: Progress | undefined;
  private left = 0;
  private second: NodeJS.Timeout | undefined;

  constructor(
    private readonly progressToken: ProgressToken,
    private readonly tell: (notification: object) => unknown,
  ) {}

  report(done: number, total?: number, message?: string): void {
    if (!Number.isFinite(done) || done <= this.last) return;
    this.last = done;
    this.waiting = {
      progress: done,
      ...(Number.isFinite(total) && { total }),
      ...(message !== undefined && { message: shortened(message) }),
    } as Progress;
    if (!this.second) this.begin();
    if (this.left > 0) this.send();
  }

  private begin() {
    this.left = MAX_A_SECOND;
    this.second = setTimeout(() => {
      this.second = undefined;
      if (!this.waiting) return;
      this.begin();
      this.send();
    }, SECOND_MS).unref();
  }

  private send() {
    const params = { progressToken: this.progressToken, ...this.waiting };
    this.waiting = undefined;
    this.left -= 1;
    this.tell({ jsonrpc: '2.0', method: 'notifications/progress', params });
  }
}

const shortened = (message: string) => String(message).slice(0, MAX_MESSAGE_LENGTH).toWellFormed();

/** The progress function of a request's tool; does nothing unless the client asked for progress and accepts events. */
export function progressFor(
  { params }: JSONRPCRequest,
  stream: EventStream | undefined,
): ToolRun['progress'] {
  const token = params?._meta?.progressToken;
  if (!stream || token === undefined || String(token).length > MAX_TOKEN_LENGTH) return ignored;
  const reports = new ProgressReports(token, (notification) => stream.send(notification));
  return (done, total, message) => reports.report(done, total, message);
}

const ignored = () => undefined;
