/** SQL of a grant `g`: whether its client is kept out, by its id or by the host it is redirected to. */
export const IS_BLOCKED = `(
  EXISTS (SELECT 1 FROM oauth_blocks WHERE kind = 'client' AND value = g.client_id)
  OR EXISTS (SELECT 1 FROM oauth_blocks WHERE kind = 'redirect-host' AND value = g.redirect_host))`;

export const NOT_BLOCKED = `NOT ${IS_BLOCKED}`;
