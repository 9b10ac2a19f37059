/**
 * Whether the `Origin` header of a request names an origin other than our own (RFC 6454 §7), `null` included. A
 * request without the header may come from anywhere: the caller has to check other headers.
 */
export const isForeignOrigin = (origin: string | undefined, ownOrigin: string) =>
  origin !== undefined && origin !== ownOrigin;
