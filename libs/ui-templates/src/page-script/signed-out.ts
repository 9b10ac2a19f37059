import { window } from './dom.js';

/** Tells the sign-in page that is loaded next that the person has just signed out in this tab. */
const KEY = 'gatehouse-signed-out';

export function rememberSignOut() {
  try {
    window.sessionStorage.setItem(KEY, 'yes');
  } catch {
    // Without storage the page shows less.
  }
}

/** Returns true once. */
export function takeSignOut(): boolean {
  try {
    const wasSignedOut = window.sessionStorage.getItem(KEY) !== null;
    window.sessionStorage.removeItem(KEY);
    return wasSignedOut;
  } catch {
    return false;
  }
}
