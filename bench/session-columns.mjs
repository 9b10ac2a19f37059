/** The table of sessions and its columns, in the order of the benches' rows: it has others, with defaults. */
export const SESSIONS =
  'sessions (token_hash, user_id, origin, created_at, last_seen_at, expires_at)';
