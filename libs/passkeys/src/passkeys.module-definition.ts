import { defineModule } from '#libs/platform';

export interface PasskeysOptions {
  /** The name that authenticators show beside the account. */
  readonly relyingPartyName: string;
  /** How long after its beginning a session may add a further passkey. Unset: as long as it lasts. */
  readonly addPasskeyMaxAgeMs?: number | undefined;
}

/** `imports` has to bring AccountsModule; `providers` may replace a default such as ChallengeStore. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: PASSKEYS_OPTIONS } =
  defineModule<PasskeysOptions>('Passkeys');
