interface HostPolicy {
  /** Only these, when given. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly blockedHosts: readonly string[];
}

/** Whether documents may come from a host. `*.app.example` stands for every name below app.example. */
export function isHostAllowed(hostname: string, { allowedHosts, blockedHosts }: HostPolicy) {
  const isListed = (entry: string) =>
    entry.startsWith('*.') ? hostname.endsWith(entry.slice(1)) : hostname === entry;
  return !blockedHosts.some(isListed) && (allowedHosts?.some(isListed) ?? true);
}
