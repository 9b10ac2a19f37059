/** For the log. */
export const schemeNotAllowed = (redirectUri: string): string =>
  `PRIVATE_USE_REDIRECT_SCHEMES does not list ${redirectUri.split(':', 1)[0]?.slice(0, 64)}`;
