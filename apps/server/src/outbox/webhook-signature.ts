import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
/** What is signed of a delivery. */
interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Headers of the Standard Webhooks, with a signature by each secret. */
export function signatureHeaders({ id, timestamp, body }: Signed, secrets: readonly string[]) {
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
