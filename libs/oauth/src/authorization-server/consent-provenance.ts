import { isForeignOrigin } from '#libs/accounts';

const FOREIGN_SITES = new Set(['same-site', 'cross-site']);

/** Whether a consent answer was sent by a page of another origin, as far as the browser tells. */
export function isForeignAnswer(
  ownOrigin: string,
  origin: string | undefined,
  fetchSite: string | undefined,
): boolean {
  if (isForeignOrigin(origin, ownOrigin)) return true;
  return fetchSite !== undefined && FOREIGN_SITES.has(fetchSite);
}
