import type { ScriptTexts } from '../texts/en.js';
import { startSignIn } from './start-sign-in.js';

/** Parameter of the function around the bundle. */
declare const texts: ScriptTexts;

startSignIn(texts);
