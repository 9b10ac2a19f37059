import { window } from './dom.js';

/** That the person has just signed out in this tab, for the sign-in page that is loaded next. */
const KEY = 'gatehouse-signed-out';

export function rememberSignOut() {
  try {
    window.sessionStorage.setItem(KEY, 'yes');
  } catch {
    // Nothing is kept here; the page says less then.
  }
}

/** True once. */
export function takeSignOut(): boolean {
  try {
    const wasSignedOut = window.sessionStorage.getItem(KEY) !== null;
    window.sessionStorage.removeItem(KEY);
    return wasSignedOut;
  } catch {
    return false;
  }
}
