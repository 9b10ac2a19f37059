import { window } from './dom.js';

/** That somebody did, in this browser: no name, no time. It outlives sign-out, which is what it is for. */
const KEY = 'gatehouse-signed-in-before';

export function rememberSignIn() {
  try {
    window.localStorage.setItem(KEY, 'yes');
  } catch {
    // Nothing is kept here; the page says less then.
  }
}

export function wasSignedInBefore(): boolean {
  try {
    return window.localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
