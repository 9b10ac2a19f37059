import type { ScriptTexts } from '../texts/en.js';

/** The texts for a page without sign-up: none of them mentions it. */
export const withoutSignUp = (texts: ScriptTexts): ScriptTexts => ({
  ...texts,
  cancelledSignIn: texts.cancelledSignInOnly,
  cancelledSwitch: texts.cancelledSwitchOnly,
  notAtHand: texts.notAtHandOnly,
  unknownPasskey: texts.unknownPasskeyOnly,
});
