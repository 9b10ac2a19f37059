import { isIP } from 'node:net';
import { isLoopbackHostname } from '#libs/accounts';

const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** `loopback`, an address or a CIDR; a number of hops is refused, anybody could count as one. */
export function isProxyRange(entry: string): boolean {
  if (NAMED_NETWORKS.has(entry)) return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

/** An https origin, or a plain-http one on loopback, spelt the way browsers spell it. */
export function isPublicOrigin(entry: string): boolean {
  if (!URL.canParse(entry)) return false;
  const { origin, protocol, hostname } = new URL(entry);
  if (origin !== entry) return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHostname(hostname));
}

export const isDatabaseUrl = (value: string) =>
  /^sqlite:(?!:memory:)[^?]+$/.test(value) || /^postgres(ql)?:\/\/./.test(value);

export const isRedisUrl = (value: string) => /^rediss?:\/\/./.test(value) && URL.canParse(value);

export const isHeaderName = (value: string) => /^[A-Za-z0-9-]{1,64}$/.test(value);

export const isHost = (value: string) => isIP(value) !== 0 || /^[A-Za-z0-9.-]+$/.test(value);

/** Shown on pages and by authenticators, so nothing that is invisible or breaks the line. */
export const isServiceName = (value: string) =>
  value.trim() === value && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,64}$/u.test(value);
