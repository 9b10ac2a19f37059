export interface HostPolicy {
  /** Only these, when given. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly blockedHosts?: readonly string[] | undefined;
}

/**
 * Whether anything may be fetched from a host. `*.app.example` stands for every name below app.example;
 * a dot at the end of a name changes nothing.
 */
export function isHostAllowed(hostname: string, { allowedHosts, blockedHosts }: HostPolicy) {
  const name = hostname.replace(/\.$/, '');
  const isListed = (entry: string) =>
    entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry;
  return !blockedHosts?.some(isListed) && (allowedHosts?.some(isListed) ?? true);
}
