const MAX_TRANSPORTS = 8;

/** The first eight well-formed transports that a browser reported; malformed values are dropped. */
export function acceptedTransports(reported: unknown): string[] {
  if (!Array.isArray(reported)) return [];
  const wellFormed = reported.filter(
    (entry): entry is string => typeof entry === 'string' && /^[a-z-]{1,32}$/.test(entry),
  );
  return wellFormed.slice(0, MAX_TRANSPORTS);
}
