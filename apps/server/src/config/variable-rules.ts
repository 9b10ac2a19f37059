import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { isLoopbackHostname } from '#libs/accounts';
import { parseSentinelUrl } from '#libs/platform';

const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** `loopback`, an address or a CIDR; a number of hops is refused, because any client could be counted as a hop. */
export function isProxyRange(entry: string): boolean {
  if (NAMED_NETWORKS.has(entry)) return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  return (
    bits === undefined ||
    (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

/** Whether requests cannot be read in transit: https, or plain http on loopback. */
const isSecure = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || (protocol === 'http:' && isLoopbackHostname(hostname));

const hasCredentials = ({ username, password }: URL) => `${username}${password}` !== '';

/** A secure origin, spelt the way browsers spell it. */
export function isPublicOrigin(entry: string): boolean {
  const url = URL.parse(entry);
  return url?.origin === entry && !url.hostname.includes('*') && isSecure(url);
}

export const isDatabaseUrl = (value: string) =>
  /^sqlite:(?!:memory:)[^?]+$/.test(value) ||
  (/^postgres(ql)?:\/\/./.test(value) && URL.canParse(value) && isDecodable(value));

const isDecodable = (value: string) => !/%(?![0-9a-f]{2})/i.test(value);

export const isRedisUrl = (value: string) =>
  (/^rediss?:\/\/./.test(value) && URL.canParse(value)) || parseSentinelUrl(value) !== undefined;

/** No character has a special meaning in a Redis pattern. */
export const isRedisPrefix = (value: string) => /^[A-Za-z0-9_:.-]{1,64}$/.test(value);

export const isWebhookUrl = (value: string) => /^https?:\/\/./.test(value) && URL.canParse(value);

export function isEventsWebhookUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && !hasCredentials(url) && isSecure(url);
}

/** A key of 24 to 64 bytes, as Standard Webhooks require. */
export function isWebhookSecret(entry: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(entry) ?? [];
  const key = Buffer.from(encoded, 'base64');
  const isWhole = key.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '');
  return isWhole && key.length >= 24 && key.length <= 64;
}

/** A public address: it contains no secret and is not local to this computer. */
export function isPublicUrl(value: string): boolean {
  const url = URL.parse(value);
  return value.length <= 500 && url?.protocol === 'https:' && !hasCredentials(url);
}

/** `text|tag:text=path`, with as many translations as there are; empty texts for anything else. */
export function linkParts(entry: string) {
  const [, labels = '', path = ''] = /^([^=]*)=(.*)$/.exec(entry) ?? [];
  const [text = '', ...others] = labels.split('|');
  const translations = others.map((label) => {
    const [, tag = '', translation = ''] = /^([^:]*):([^]*)$/.exec(label) ?? [];
    return [tag, translation] as const;
  });
  return { text, translations, path };
}

/** A link whose texts have 1 to 40 visible characters, one for each language. */
function isLink(entry: string, rule: (address: string) => boolean): boolean {
  const { text, translations, path } = linkParts(entry);
  const isLabel = (label: string) => label.length <= 40 && isVisibleName(label);
  const isTranslation = ([tag, label]: readonly [string, string]) =>
    isLanguageTag(tag) && isLabel(label);
  const tags = new Set(translations.map(([tag]) => tag.toLowerCase()));
  const areDifferent = tags.size === translations.length;
  return rule(path) && isLabel(text) && areDifferent && translations.every(isTranslation);
}

export const isFootLink = (entry: string) => isLink(entry, isPublicUrl);

export const isSignInLink = (entry: string) => isLink(entry, isOwnPath);

function isOwnPath(path: string): boolean {
  const url = URL.parse(path, 'https://gate.example');
  return url?.href === `https://gate.example${path}` && url.hash === '' && path.length <= 500;
}

/** A value that an `Authorization` header can carry (RFC 6750 §2.1), long enough not to be guessed. */
export const isAdminToken = (value: string) =>
  /^[A-Za-z0-9._~+/-]+=*$/.test(value) && value.length >= 32 && value.length <= 512;

/** What a command hashes whose variable is not set, or whose file is empty. */
const HASHES_OF_NOTHING = new Set(['', '\n', '\r\n'].map((text) => hash('sha256', text)));

/** The SHA-256 of a token or secret in lower-case hex, not that of an empty text or of a line break alone. */
export const isSecretHash = (value: string) =>
  /^[0-9a-f]{64}$/.test(value) && !HASHES_OF_NOTHING.has(value);

export const isHeaderName = (value: string) => /^[A-Za-z0-9-]{1,64}$/.test(value);

export const isHost = (value: string) => isIP(value) !== 0 || /^[A-Za-z0-9.-]+$/.test(value);

/** A name without invisible characters or line breaks: pages and authenticators show it. */
export const isVisibleName = (value: string) =>
  value.trim() === value && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,64}$/u.test(value);

export const isVisibleText = (value: string) =>
  value.trim() === value && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}$/u.test(value);

/** A scope-token of RFC 6749 §3.3, of bounded length; OpenID Connect's own two mean something to the library. */
export const isScopeName = (value: string) =>
  /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/.test(value) && !['openid', 'offline_access'].includes(value);

/** Neither space nor quotes nor backslashes, which a URL parser leaves in a query. */
const PLAIN_URL = /^[\x21\x23-\x5b\x5d-\x7e]{1,512}$/;

/** An identifier of RFC 8707 §2: https, or plain http on loopback, without credentials and fragment. */
export function isResourceUrl(value: string): boolean {
  const url = URL.parse(value);
  if (!url || !PLAIN_URL.test(value) || value.includes('#')) return false;
  if (url.href !== value && url.href !== `${value}/`) return false;
  return !hasCredentials(url) && isSecure(url);
}

/** Whether texts exist in the language is known once the extensions are loaded. */
export const isLanguageTag = (entry: string) => /^[a-z]{2,8}(-[a-z\d]{1,8})*$/i.test(entry);

const HOST_NAME = '(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?';
const HOST_NAME_ALONE = new RegExp(`^${HOST_NAME}$`);

export const isHostName = (entry: string) => entry.length <= 253 && HOST_NAME_ALONE.test(entry);

const HOST_PATTERN = new RegExp(`^(?:(?:\\*\\.)?${HOST_NAME}|\\[[0-9a-f:]+\\])$`);

export const isHostPattern = (entry: string) => entry.length <= 253 && HOST_PATTERN.test(entry);

/** Spelt as a URL parser writes it: lower case, an IPv6 address shortened and in brackets. */
export function isHostAndPort(entry: string): boolean {
  const url = URL.parse(`https://${entry}/`);
  const port = /:(\d+)$/.exec(entry)?.[1];
  if (!url || port === undefined || !isHostPattern(url.hostname)) return false;
  return !entry.startsWith('*') && entry === `${url.hostname}:${url.port || '443'}`;
}

const SCHEME = /^[a-z][a-z0-9+.-]{0,63}$/;
const NOT_PRIVATE =
  /^(?:https?|wss?|ftp|javascript|vbscript|data|blob|file|filesystem|about|view-source|intent)$/;

export const isPrivateUseScheme = (entry: string) => SCHEME.test(entry) && !NOT_PRIVATE.test(entry);

const CSP_ORIGIN = new RegExp(`^https://(?:\\*\\.)?${HOST_NAME}(?::\\d{1,5})?$`);

/** A source of CSP's form-action: an https origin, or a scheme with its colon. */
export const isFormAction = (entry: string) =>
  CSP_ORIGIN.test(entry) || (entry.endsWith(':') && isPrivateUseScheme(entry.slice(0, -1)));
