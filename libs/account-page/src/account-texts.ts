import { type ScriptTexts, texts as common } from '#libs/ui-templates';
import { budget } from './texts/budget.js';
import { page } from './texts/page.js';
import { signedOut } from './texts/signed-out.js';

/** What people read on the account page, by section. What a script says is in the `script` of each. */
export const accountTexts = { signedOut, page, budget };

/** No app leads here, so no app leads on. */
export const ceremonyTexts: ScriptTexts = { ...common.script, ...signedOut.script };

export const scriptTexts = {
  ceremonies: ceremonyTexts,
  page: page.script,
  budget: budget.script,
};

export type AccountScriptTexts = typeof scriptTexts;
