import { isForeignOrigin, isOwnUnnamed } from '#libs/accounts';

/** Request headers that the browser sets and no script can change (W3C Fetch Metadata Request Headers). */
export interface FetchMetadata {
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly destination: string | undefined;
  /** `Service-Worker-Navigation-Preload`: a service worker of the site receives the response first. */
  readonly navigationPreload: string | undefined;
}

/**
 * Whether the response is shown as a top-level page: a browser loads a document, or the client is not a
 * browser and sends neither `Sec-Fetch-Site` nor `Sec-Fetch-Dest`. Node's fetch sends only
 * `Sec-Fetch-Mode`.
 */
export function isPageLoad({ site, destination, navigationPreload }: FetchMetadata): boolean {
  if (navigationPreload !== undefined) return false;
  if (destination !== undefined) return destination === 'document';
  return site === undefined;
}

/**
 * Whether the consent answer was sent by a form submission: a navigation of a window, which a service
 * worker may have forwarded. A service worker can only forward a navigation; no script can create one.
 */
export function isFormSubmission({ mode, destination }: FetchMetadata): boolean {
  if (destination === undefined || destination === 'document') return true;
  return destination === 'empty' && mode === 'navigate';
}

/** Whether a consent answer was sent by a page of another origin, as far as the browser tells. */
export const isForeignAnswer = (
  ownOrigin: string,
  origin: string | undefined,
  { site }: FetchMetadata,
): boolean =>
  !isOwnUnnamed(origin, site) &&
  (isForeignOrigin(origin, ownOrigin) || site === 'same-site' || site === 'cross-site');
