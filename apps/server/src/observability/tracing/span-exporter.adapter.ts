import { Agent, request } from 'undici';
import { OutageLog } from '#libs/database';
import type { Attributes } from '#libs/trace';
import type { TracingConfig } from '../../config/tracing-config.js';
import { otlpJson } from './otlp-json.js';
import type { EndedSpan } from './recorded-span.js';

const MOST_KEPT = 2_048;
const BATCH = 512;
const EVERY_MS = 1_000;
const PATIENCE_MS = 10_000;
const FAREWELL_MS = 2_000;
const MAX_ANSWER_BYTES = 65_536;

/** What an answer by these says may work later (OTLP 1, §Retryable response codes). */
const PASSING = new Set([429, 502, 503, 504]);

type Target = Pick<TracingConfig, 'url' | 'headers'> & { readonly resource: Attributes };

/**
 * Sends spans away, once a second and 512 at a time. Nobody waits for that, and it never fails: where they do not
 * arrive, 2,048 are kept and those that come then are lost, which the log is told once.
 */
export class SpanExporter {
  private readonly agent = new Agent({ connect: { timeout: PATIENCE_MS }, connections: 1 });
  private readonly timer = setInterval(() => void this.send(), EVERY_MS).unref();
  private readonly end = new AbortController();
  private readonly outage: OutageLog;
  private readonly host: string;
  private readonly kept: EndedSpan[] = [];
  private sending: Promise<void> | undefined;
  private isOut = false;

  constructor(
    private readonly target: Target,
    logger: ConstructorParameters<typeof OutageLog>[0],
  ) {
    this.outage = new OutageLog(logger);
    this.host = new URL(target.url).host;
  }

  take(span: EndedSpan): void {
    if (this.kept.length >= MOST_KEPT) return;
    this.kept.push(span);
    if (this.kept.length >= BATCH && !this.isOut) void this.send();
  }

  /** Sends what is left, for two seconds at most. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    const tooLong = setTimeout(() => this.end.abort(), FAREWELL_MS);
    await this.send();
    clearTimeout(tooLong);
    await this.agent.destroy();
  }

  private send(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
    return this.sending;
  }

  private async sendAll(): Promise<void> {
    this.isOut = false;
    while (this.kept.length > 0 && !this.isOut) {
      const batch = this.kept.slice(0, BATCH);
      const fault = await this.post(batch);
      this.isOut = fault?.passes === true;
      if (!this.isOut) this.kept.splice(0, batch.length);
      if (fault) this.outage.begin(`traces do not arrive at ${this.host}: ${fault.what}`);
      else this.outage.end(`traces arrive at ${this.host} again`);
    }
  }

  /** What went wrong, and whether that may pass. */
  private async post(batch: readonly EndedSpan[]) {
    const { url, headers, resource } = this.target;
    try {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: otlpJson(batch, resource),
        dispatcher: this.agent,
        signal: AbortSignal.any([this.end.signal, AbortSignal.timeout(PATIENCE_MS)]),
      });
      await body.dump({ limit: MAX_ANSWER_BYTES });
      if (statusCode >= 200 && statusCode < 300) return undefined;
      return { what: `answered with ${statusCode}`, passes: PASSING.has(statusCode) };
    } catch (error) {
      const { code, name } = error as { code?: unknown; name: string };
      return { what: typeof code === 'string' ? code : name, passes: true };
    }
  }
}
