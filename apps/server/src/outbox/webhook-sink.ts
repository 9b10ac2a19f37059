import { createHmac } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Agent, Dispatcher } from 'undici';
import { epochSeconds } from '#libs/platform';
import { type DeliveredEvent, DeliveryError, EventSink } from './event-sink.js';
import { retryAfterMs } from './retry-schedule.js';

const PREFIX = 'whsec_';

/** The headers of Standard Webhooks, with a signature for each secret; `timestamp` is in seconds since 1970. */
function signatureHeaders(id: string, timestamp: number, body: string, secrets: readonly string[]) {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(sign).join(' '),
  };
}

const MAX_ANSWER_BYTES = 4_096;

/** How long the body of an answer may take; after that the status counts and the connection is closed. */
const ANSWER_END_MS = 1_000;

export interface Webhook {
  readonly url: string;
  /** `whsec_…`, one or more: each signs, so that secrets can be rotated. */
  readonly secrets: readonly string[];
}

/** Posts each event as Standard Webhooks describe (https://www.standardwebhooks.com); follows no redirect. */
export class WebhookSink extends EventSink implements OnApplicationShutdown {
  private agent: Agent | undefined;

  constructor(private readonly webhook: Webhook) {
    super();
  }

  /** Runs after the last delivery. */
  async onApplicationShutdown() {
    await this.agent?.destroy();
  }

  async deliver({ id, ...event }: DeliveredEvent, signal: AbortSignal): Promise<void> {
    const { url, secrets } = this.webhook;
    const body = JSON.stringify(event);
    const timestamp = epochSeconds(Date.now());
    const headers = {
      'content-type': 'application/json',
      ...signatureHeaders(id, timestamp, body, secrets),
    };
    // Loaded on demand: most services have no webhook and need the library for nothing else.
    const undici = await import('undici');
    const dispatcher = (this.agent ??= new undici.Agent({ connect: { timeout: 10_000 } }));
    const options = { method: 'POST', body, headers, dispatcher, signal } as const;
    const answer = await undici.request(url, options).catch((error: unknown) => {
      throw new DeliveryError(reasonOf(error));
    });
    await letEnd(answer);
    const { statusCode } = answer;
    if (statusCode >= 200 && statusCode < 300) return;
    const asked = retryAfterMs(answer.headers['retry-after'], Date.now());
    throw new DeliveryError(`the webhook answered ${statusCode}`, asked);
  }
}

async function letEnd({ body }: Dispatcher.ResponseData) {
  const signal = AbortSignal.timeout(ANSWER_END_MS);
  await body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined);
  body.destroy();
}

/** Only the error code: Node's messages contain addresses. */
function reasonOf(error: unknown): string {
  const { name, code } = Object(error) as { readonly name?: unknown; readonly code?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return 'the webhook gave no answer in time';
  return typeof code === 'string'
    ? `the webhook could not be asked (${code})`
    : 'the webhook could not be asked';
}
