import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of another origin made a browser send this request in passing: for an image, a script, a frame, a
 * `fetch`, a prefetched page, anything but a navigation of the user (Fetch Metadata, `Sec-Fetch-*`). Users have no
 * control over such requests, so these must not use up the users' own limit.
 */
export function isInPassing(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  if (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-purpose'] !== undefined) return true;
  return (headers['sec-fetch-dest'] ?? 'document') !== 'document';
}
