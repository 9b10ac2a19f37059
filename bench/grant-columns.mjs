// Where a grant of a bench's own goes: the table, and the columns that have no default.
export const GRANTS =
  'oauth_grants (id, user_id, client_id, origin, scope, app, created_at, last_used_at, expires_at)';
