import type { ScriptTexts } from '../texts/en.js';
import { startConsent } from './start-consent.js';

/** Parameter of the function around the bundle. */
declare const texts: ScriptTexts;

startConsent(texts);
