import type { ScriptTexts } from '../texts/pages.en.js';
import { startConsent } from './consent.js';

/** Parameter of the function around the bundle. */
declare const texts: ScriptTexts;

startConsent(texts);
