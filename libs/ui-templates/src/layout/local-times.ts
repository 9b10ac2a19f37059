import { localTimes as bundle } from '#page-scripts';
import { inlineScript } from './page.js';

/** For a page without other scripts: its moments in the reader's time zone. */
export const localTimes = { code: inlineScript(bundle), texts: {} };
