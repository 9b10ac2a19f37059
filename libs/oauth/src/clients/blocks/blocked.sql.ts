/** SQL: whether a client is blocked, by its id or by the host of its redirect URI. */
export const blocked = (clientId: string, redirectHost: string) => `(
  EXISTS (SELECT 1 FROM oauth_blocks WHERE kind = 'client' AND value = ${clientId})
  OR EXISTS (SELECT 1 FROM oauth_blocks WHERE kind = 'redirect-host' AND value = ${redirectHost}))`;
