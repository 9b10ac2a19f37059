import { channel } from 'node:diagnostics_channel';
import type { OnModuleDestroy } from '@nestjs/common';
import { Agent, request } from 'undici';
import {
  type Span,
  type SpanDescription,
  httpSpan,
  inSpan,
  parseJson,
  timeLimit,
  traceHeaders,
} from '#libs/platform';
import { ContentScreener, type ScreenedContent, type ScreeningResult } from './content-screener.js';

const DEADLINE_MS = 2_000;
const MAX_ANSWER_BYTES = 4_096;

/** When OpenTelemetry's instrumentation of undici subscribes to this channel, it sends `traceparent` itself. */
const instrumentation = channel('undici:request:create');

/**
 * Asks a web service: posts `{ app, userId, text }` and expects 200 `{ "allowed": boolean }` within two seconds;
 * anything else is a failure, a redirect included. The user id is the same each time, to recognise repeated abuse.
 * Credentials in the URL are sent as Basic authentication. The request carries `traceparent`.
 */
export class WebhookScreener extends ContentScreener implements OnModuleDestroy {
  private readonly agent = new Agent({
    connect: { timeout: DEADLINE_MS },
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  private readonly url: URL;
  private readonly headers: Record<string, string>;
  private readonly asking: SpanDescription;

  constructor(address: string) {
    super();
    const { origin, pathname, search, username, password } = new URL(address);
    this.url = new URL(pathname + search, origin);
    this.asking = httpSpan('POST', this.url);
    this.headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(username || password ? { authorization: basic(username, password) } : {}),
    };
  }

  async onModuleDestroy() {
    await this.agent.destroy();
  }

  override screen(content: ScreenedContent, signal?: AbortSignal): Promise<ScreeningResult> {
    const end = timeLimit(DEADLINE_MS, signal);
    const ask = (span?: Span) => this.ask(content, end, span);
    return inSpan(() => this.asking, ask);
  }

  private async ask({ app, userId, text }: ScreenedContent, signal: AbortSignal, span?: Span) {
    const { statusCode, body } = await request(this.url, {
      method: 'POST',
      body: JSON.stringify({ app, userId, text }),
      headers: { ...this.headers, ...(instrumentation.hasSubscribers ? {} : traceHeaders()) },
      dispatcher: this.agent,
      signal,
    });
    span?.set({ 'http.response.status_code': statusCode });
    const json = await body.text();
    if (statusCode !== 200) {
      const error = new Error(`the screening service answered ${statusCode}`);
      throw Object.assign(error, { code: String(statusCode) });
    }
    return isAllowed(json) ? 'accepted' : 'refused';
  }
}

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;

function isAllowed(json: string): boolean {
  const { allowed } = Object(parseJson(json)) as { allowed?: unknown };
  if (typeof allowed !== 'boolean') {
    throw new Error('the screening service did not answer { "allowed": boolean }');
  }
  return allowed;
}
