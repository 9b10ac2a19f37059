/** SQL: whether a client is kept out, by its id or by the host it is redirected to. */
export const blocked = (clientId: string, redirectHost: string) => `(
  EXISTS (SELECT 1 FROM oauth_blocks WHERE kind = 'client' AND value = ${clientId})
  OR EXISTS (SELECT 1 FROM oauth_blocks WHERE kind = 'redirect-host' AND value = ${redirectHost}))`;

/** The same of the client of a grant `g`. */
export const IS_BLOCKED = blocked('g.client_id', 'g.redirect_host');

export const NOT_BLOCKED = `NOT ${IS_BLOCKED}`;
