import { control, errorMessage, goOn, post, say } from '#libs/ui-templates/page-script';
import type { AccountScriptTexts } from '../account-texts.js';
import { Sections } from './section.js';
import { budgetSection } from './sections/budget.js';

export function startAccount(texts: AccountScriptTexts) {
  const sections = new Sections([budgetSection(texts)], texts);
  const signOut = control('sign-out');
  signOut.disabled = false;
  signOut.addEventListener('click', () => void leave(texts));
  void sections.refresh();
}

async function leave(texts: AccountScriptTexts) {
  say(texts.page.signingOut);
  try {
    await post('logout', {});
    goOn();
  } catch (error) {
    say(errorMessage(error, 'signIn', texts.ceremonies) ?? '');
  }
}
