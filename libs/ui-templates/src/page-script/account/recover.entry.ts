import type { RecoverTexts } from '../../account/account-texts.js';
import { startRecover } from './recover.js';

/** Parameter of the function around the bundle. */
declare const texts: RecoverTexts;

startRecover(texts);
