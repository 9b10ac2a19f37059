/** For the developer of a client that registers only private-use schemes. */
export const NO_WAY_BACK =
  'redirect_uris have no other schemes than private-use ones, and this service redirects to none of these; ' +
  'its administrator can allow them in PRIVATE_USE_REDIRECT_SCHEMES; or register an https or loopback URI as well';

/** For the log. */
export const schemeNotAllowed = (redirectUri: string): string =>
  `PRIVATE_USE_REDIRECT_SCHEMES does not list ${redirectUri.split(':', 1)[0]?.slice(0, 64)}`;
