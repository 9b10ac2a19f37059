const INDICATOR = /^([A-Za-z]+:\/\/[^/?#\\@\s]+)\/svc\/mcp\/?$/;

/**
 * Whether a resource indicator (RFC 8707 §2) identifies the resource of our origin. Ignores the case of
 * scheme and host, a default port and one trailing slash; anything else is another resource.
 */
export function isOwnResource(indicator: string, origin: string): boolean {
  const [, start = ''] = INDICATOR.exec(indicator) ?? [];
  return URL.canParse(start) && new URL(start).origin === origin;
}
