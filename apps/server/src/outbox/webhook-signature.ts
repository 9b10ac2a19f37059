import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
/** The signed parts of a delivery. */
interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of Standard Webhooks, with a signature for each secret. */
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
