import { fetchAccount, hub } from '/svc/client.js';

const SOON_MS = 300;
const AGAIN_MS = 30_000;

/**
 * Follows who is signed in, and is a tab of that account meanwhile. `show` gets the account whenever it may have changed:
 * an app used the page, something happened to the account, the reader comes back, or half a minute went by, since apps
 * spend credits elsewhere too. `signedIn` and `signedOut` are called when that changes; `signedOut` gets whether
 * a person was signed in before. Returns a function that asks for the account at once, and rejects when that fails.
 */
export function followAccount({ show, signedIn, signedOut }) {
  let userId;
  let soon;

  const meet = (account) => {
    const before = userId;
    userId = account.user?.id ?? null;
    if (userId !== null) show(account);
    if (userId === before) return;
    if (before || userId === null) {
      hub.close();
      signedOut(Boolean(before));
    }
    if (userId === null) return;
    hub.open();
    signedIn();
  };
  const refresh = async () => meet(await fetchAccount());
  const refreshSoon = () => {
    clearTimeout(soon);
    // No person asked for it, so a failure is not shown.
    soon = setTimeout(() => refresh().catch(() => {}), SOON_MS);
  };

  for (const type of ['call', 'message', 'account']) hub.addEventListener(type, refreshSoon);
  hub.addEventListener('state', ({ detail: state }) => {
    if (state === 'signed-out') meet({ user: null });
  });
  addEventListener('focus', refreshSoon);
  document.addEventListener('visibilitychange', refreshSoon);
  setInterval(() => {
    if (userId && document.visibilityState === 'visible') refreshSoon();
  }, AGAIN_MS);
  return refresh;
}
