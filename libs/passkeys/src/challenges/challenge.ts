export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** What a stored challenge is for; it answers only on the origin it was made on. */
export type Challenge = { readonly origin: string } & (
  | { readonly purpose: 'register'; readonly userId: string; readonly displayName: string }
  | { readonly purpose: 'add'; readonly userId: string; readonly displayName: null }
);

/** What a challenge for signing in is for: anybody's passkey of the origin. It is stored nowhere. */
export interface SignIn {
  readonly purpose: 'login';
  readonly origin: string;
}
