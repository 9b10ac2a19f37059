/** Where the answer goes, in the terms by which a person decides. */
export interface RedirectTarget {
  /** Host of a web address; scheme and host of an address that opens an app. */
  readonly label: string;
  readonly opensApp: boolean;
  /** Whether the target is this computer, where any program may be the one that listens. */
  readonly loopback: boolean;
}

/** Throws TypeError for an invalid URL. */
export function redirectTarget(redirectUri: string): RedirectTarget {
  const { protocol, host, hostname } = new URL(redirectUri);
  const opensApp = protocol !== 'http:' && protocol !== 'https:';
  const address = host === '' ? protocol : `${protocol}//${host}`;
  return { label: opensApp ? address : host, opensApp, loopback: isLoopback(hostname) };
}

const isLoopback = (hostname: string) =>
  /^((.+\.)?localhost\.?|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

/** Whether a host name is an IP address, which can never be the relying party of a passkey. */
export const isIpAddress = (hostname: string) => /^(\d{1,3}(\.\d{1,3}){3}|\[.+\])$/.test(hostname);

/** The same origin under the name for which browsers allow passkeys; undefined unless it is a loopback address. */
export function localhostOrigin(origin: string): string | undefined {
  const url = new URL(origin);
  if (!isIpAddress(url.hostname) || !isLoopback(url.hostname)) return undefined;
  url.hostname = 'localhost';
  return url.origin;
}
