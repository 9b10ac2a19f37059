import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of another origin made a browser send this request in passing: for an image, a script,
 * a frame, a `fetch`, a page fetched ahead, anything but leading the person here (Fetch Metadata,
 * `Sec-Fetch-*`). A person has no say in such requests, so they must not use up what the person may do.
 */
export function isInPassing(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  if (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-purpose'] !== undefined) return true;
  return (headers['sec-fetch-dest'] ?? 'document') !== 'document';
}
