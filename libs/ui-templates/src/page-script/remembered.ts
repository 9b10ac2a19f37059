/** Remembers that someone has signed in with this browser: no name, no time. Deliberately survives sign-out. */
const SIGNED_IN_BEFORE = 'gatehouse-signed-in-before';

export function rememberSignIn() {
  try {
    localStorage.setItem(SIGNED_IN_BEFORE, 'yes');
  } catch {
    // Without storage the page shows less.
  }
}

export function wasSignedInBefore(): boolean {
  try {
    return localStorage.getItem(SIGNED_IN_BEFORE) !== null;
  } catch {
    return false;
  }
}

/** Tells the sign-in page that is loaded next that the person has just signed out in this tab. */
const SIGNED_OUT = 'gatehouse-signed-out';

export function rememberSignOut() {
  try {
    sessionStorage.setItem(SIGNED_OUT, 'yes');
  } catch {
    // Without storage the page shows less.
  }
}

/** Returns true once. */
export function takeSignOut(): boolean {
  try {
    const wasSignedOut = sessionStorage.getItem(SIGNED_OUT) !== null;
    sessionStorage.removeItem(SIGNED_OUT);
    return wasSignedOut;
  } catch {
    return false;
  }
}
