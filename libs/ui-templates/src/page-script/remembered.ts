/** Undefined for what throws: without storage the page shows less, of a credential it reads what there is. */
export function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** Remembers that someone has signed in with this browser: no name, no time. Deliberately survives sign-out. */
const SIGNED_IN_BEFORE = 'gatehouse-signed-in-before';

export const rememberSignIn = () => attempt(() => localStorage.setItem(SIGNED_IN_BEFORE, 'yes'));

export const wasSignedInBefore = () =>
  attempt(() => localStorage.getItem(SIGNED_IN_BEFORE) !== null) === true;

/** Tells the sign-in page that is loaded next that the person has just signed out in this tab. */
const SIGNED_OUT = 'gatehouse-signed-out';

export const rememberSignOut = () => attempt(() => sessionStorage.setItem(SIGNED_OUT, 'yes'));

/** Returns true once. */
export const takeSignOut = () =>
  attempt(() => {
    const wasSignedOut = sessionStorage.getItem(SIGNED_OUT) !== null;
    sessionStorage.removeItem(SIGNED_OUT);
    return wasSignedOut;
  }) === true;
