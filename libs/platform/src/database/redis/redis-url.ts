import { unescape } from 'node:querystring';

/** ioredis' options for a Redis that is found through Sentinels. */
interface SentinelOptions {
  readonly sentinels: { readonly host: string; readonly port: number }[];
  readonly name: string;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
  readonly tls?: object;
  readonly sentinelTLS?: object;
  readonly enableTLSForSentinelMode?: boolean;
}

const SENTINEL_URL =
  /^redis(?<tls>s?)\+sentinel:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)\/(?<name>[\w.-]{1,255})(?:\/(?<db>\d{1,5}))?(?:\?(?<query>[^#]*))?$/;

const ADDRESS = /^(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<host>[a-z0-9._-]+))(?::(?<port>\d{1,5}))?$/i;

const SENTINEL_PORT = 26_379;

const IN_QUERY = new Set(['sentinel_username', 'sentinel_password']);

/**
 * Reads `redis+sentinel://<user>:<password>@<host>:<port>,<host>…/<name>/<database>`: the Sentinels, and the name
 * of the primary there; user and password are those of the primary. Those of the Sentinels are in
 * `?sentinel_username=…&sentinel_password=…`. `rediss+sentinel://` uses TLS for all. Undefined for anything else.
 */
export function parseSentinelUrl(url: string): SentinelOptions | undefined {
  const { tls, user, password, hosts, name, db, query } = SENTINEL_URL.exec(url)?.groups ?? {};
  if (hosts === undefined || name === undefined) return undefined;
  const sentinels = hosts.split(',').map(addressIn);
  const more = new URLSearchParams(query);
  if (!sentinels.every((address) => address !== undefined)) return undefined;
  if ([...more.keys()].some((key) => !IN_QUERY.has(key))) return undefined;
  return {
    sentinels,
    name,
    db: Number(db ?? 0),
    ...(user && { username: unescape(user) }),
    ...(password && { password: unescape(password) }),
    ...given('sentinelUsername', more.get('sentinel_username')),
    ...given('sentinelPassword', more.get('sentinel_password')),
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

/** A description of the address without passwords, for logs. */
export function placeOf(url: string): string {
  const sentinel = parseSentinelUrl(url);
  if (!sentinel) return new URL(url).host;
  const addresses = sentinel.sentinels.map(({ host, port }) => `${host}:${port}`);
  return `${sentinel.name} (by Sentinel at ${addresses.join(', ')})`;
}

function addressIn(text: string) {
  const { ipv6, host = ipv6, port = SENTINEL_PORT } = ADDRESS.exec(text)?.groups ?? {};
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

const given = (name: string, value: string | null) => (value ? { [name]: value } : {});
