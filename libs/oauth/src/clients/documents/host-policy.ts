export interface HostPolicy {
  /** When given, all other hosts are refused. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly blockedHosts?: readonly string[] | undefined;
}

/**
 * Whether this service may fetch from a host. `*.app.example` matches every name below app.example; a
 * dot at the end of a name is ignored.
 */
export function isHostAllowed(hostname: string, { allowedHosts, blockedHosts }: HostPolicy) {
  const name = hostname.replace(/\.$/, '');
  const isListed = (entry: string) =>
    entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry;
  return !blockedHosts?.some(isListed) && (allowedHosts?.some(isListed) ?? true);
}
