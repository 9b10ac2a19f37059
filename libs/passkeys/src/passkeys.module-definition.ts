import { defineModule } from '#libs/platform';

export interface PasskeysOptions {
  /** Shown by authenticators next to the account. */
  readonly relyingPartyName: string;
  /** How long after it began a session may add a further passkey. Unset: for as long as it lasts. */
  readonly addPasskeyMaxAgeMs?: number | undefined;
}

/** `imports` has to bring AccountsModule; `providers` may replace a default such as ChallengeStore. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: PASSKEYS_OPTIONS } =
  defineModule<PasskeysOptions>('Passkeys');
