import type { ScriptTexts } from '../texts/en.js';

/** For a page that offers no account: no sentence leads to one. */
export const withoutSignUp = (texts: ScriptTexts): ScriptTexts => ({
  ...texts,
  cancelledSignIn: texts.cancelledSignInOnly,
  cancelledSwitch: texts.cancelledSwitchOnly,
  notAtHand: texts.notAtHandOnly,
  unknownPasskey: texts.unknownPasskeyOnly,
});
