export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** The purpose of a stored challenge; it is valid only on the origin it was made on. */
export type Challenge = SignUpChallenge | AdditionChallenge;

/** For a new account; `inviteHash` is that of the invite to spend for it. */
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

/** The purpose of a challenge for signing in: any passkey of the origin. It is not stored. */
export interface SignIn {
  readonly purpose: 'login';
  readonly origin: string;
}
