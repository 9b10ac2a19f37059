export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** What a stored challenge is for; it answers only on the origin it was made on. */
export type Challenge = SignUpChallenge | AdditionChallenge;

/** For a new account; `inviteHash` is of the invite that is to be spent for it. */
export interface SignUpChallenge {
  readonly purpose: 'register';
  readonly origin: string;
  readonly userId: string;
  readonly displayName: string;
  readonly inviteHash?: string | undefined;
}

export interface AdditionChallenge {
  readonly purpose: 'add';
  readonly origin: string;
  readonly userId: string;
  readonly displayName: null;
}

/** What a challenge for signing in is for: anybody's passkey of the origin. It is stored nowhere. */
export interface SignIn {
  readonly purpose: 'login';
  readonly origin: string;
}
