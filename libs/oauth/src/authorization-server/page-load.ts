/** What a browser says about a request that no script can change (W3C Fetch Metadata Request Headers). */
export interface FetchMetadata {
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly destination: string | undefined;
  /** `Service-Worker-Navigation-Preload`: the answer is handed to a script of the site first. */
  readonly navigationPreload: string | undefined;
}

/**
 * Whether what is answered is shown as a page of its own: a browser's load of a document, or a request
 * of something that is no browser and sends neither site nor destination. Node's fetch sends
 * `Sec-Fetch-Mode` alone.
 */
export function isPageLoad({ site, destination, navigationPreload }: FetchMetadata): boolean {
  if (navigationPreload !== undefined) return false;
  if (destination !== undefined) return destination === 'document';
  return site === undefined;
}

/**
 * Whether an answer was sent as a form is: by a navigation of a window, which a service worker may have
 * passed on. Such a one can only pass on what somebody sent, no script can make one.
 */
export function isFormSubmission({ mode, destination }: FetchMetadata): boolean {
  if (destination === undefined || destination === 'document') return true;
  return destination === 'empty' && mode === 'navigate';
}
