import { isIP } from 'node:net';

/**
 * The relying party id that a browser would use on `origin` (WebAuthn L3 §5.1.3, step 8). Throws SecurityError for
 * one that is neither the host nor a parent domain of it, TypeError for an origin that is not a serialised origin.
 * Any parent domain of two labels or more is accepted: there is no list of public suffixes here.
 */
export function effectiveRpId(
  asked: string | undefined,
  origin: string,
  allowIpOrigins: boolean,
): string {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new TypeError(`${JSON.stringify(origin)} is not an origin`);
  }
  const host = new URL(origin).hostname;
  const ip = isIP(host.replace(/^\[|\]$/g, '')) !== 0;
  if (ip && !allowIpOrigins) throw new DOMException('This is an invalid domain.', 'SecurityError');
  if (asked === undefined || asked === host) return host;
  const parent = asked.includes('.') || asked === 'localhost';
  if (!ip && parent && host.endsWith(`.${asked}`)) return asked;
  throw new DOMException(
    `The RP ID ${JSON.stringify(asked)} is invalid for ${origin}`,
    'SecurityError',
  );
}
