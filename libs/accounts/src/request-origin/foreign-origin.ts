/**
 * Whether the `Origin` header of a request names another origin than our own (RFC 6454 §7), `null`
 * included. A request without one may come from anywhere: other headers have to tell.
 */
export const isForeignOrigin = (origin: string | undefined, ownOrigin: string) =>
  origin !== undefined && origin !== ownOrigin;
