import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of another origin made a browser send this request in passing: for an image, a script,
 * a frame, a `fetch`, anything but leading the person here (Fetch Metadata, `Sec-Fetch-*`). A person has
 * no say in such requests, so they must not use up what the person may do.
 */
export function isInPassing(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  const dest = headers['sec-fetch-dest'] ?? 'document';
  return headers['sec-fetch-mode'] !== 'navigate' || dest !== 'document';
}
