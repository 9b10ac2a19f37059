import { window } from './dom.js';

/** Remembers that someone has signed in with this browser: no name, no time. Deliberately survives sign-out. */
const KEY = 'gatehouse-signed-in-before';

export function rememberSignIn() {
  try {
    window.localStorage.setItem(KEY, 'yes');
  } catch {
    // Without storage the page shows less.
  }
}

export function wasSignedInBefore(): boolean {
  try {
    return window.localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
