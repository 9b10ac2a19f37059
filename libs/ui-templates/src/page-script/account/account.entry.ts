import type { AccountScriptTexts } from '../../account/account-texts.js';
import { startAccount } from './start-account.js';

/** Parameter of the function around the bundle. */
declare const texts: AccountScriptTexts;

startAccount(texts);
