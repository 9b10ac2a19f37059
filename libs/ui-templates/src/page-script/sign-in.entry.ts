import type { ScriptTexts } from '../texts/pages.en.js';
import { startSignIn } from './sign-in.js';

/** Parameter of the function around the bundle. */
declare const texts: ScriptTexts;

startSignIn(texts);
