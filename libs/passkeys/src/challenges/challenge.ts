export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** What an issued challenge is for; it answers only on the origin it was made on. */
export type Challenge = { readonly origin: string } & (
  | { readonly purpose: 'register'; readonly userId: string; readonly displayName: string }
  | { readonly purpose: 'add'; readonly userId: string; readonly displayName: null }
  | { readonly purpose: 'login'; readonly userId: null; readonly displayName: null }
);
