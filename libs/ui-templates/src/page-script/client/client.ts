import { addPasskeyOnce, againWhenExpired, signInOnce, signUpOnce } from '../ceremonies.js';
import { post, send } from '../auth-api.js';
import type * as Api from './client-api.js';
import { ToolBridge } from './bridge.js';
import { PageHub } from './hub.js';
import { type ModelContext, ToolRegistry } from './tools.js';

export { Refusal } from '../auth-api.js';

/** Defined by WebMCP; missing in browsers without it. */
declare global {
  interface Document {
    readonly modelContext?: ModelContext;
  }
  interface Navigator {
    /** Its earlier place. */
    readonly modelContext?: ModelContext;
  }
}

const tools = new ToolRegistry(() => document.modelContext);

const ownHub = new PageHub(tools, {
  openSocket: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/svc/me/tabs`),
  account: async () => (await fetchAccount()).user?.id ?? null,
  about: () => ({ title: document.title, url: location.origin + location.pathname }),
});
addEventListener('online', () => ownHub.hurry());
// A browser keeps a page that is left for the way back, and answers the hub's heartbeats for one that stands still.
addEventListener('pagehide', () => ownHub.pause());
addEventListener('pageshow', () => ownHub.hurry());
document.addEventListener('freeze', () => ownHub.pause());
document.addEventListener('resume', () => ownHub.hurry());

export const hub: Api.Hub = ownHub;
export const registerTool: typeof Api.registerTool = (tool, options) =>
  tools.register(tool, options);

const modelContext = () => document.modelContext ?? navigator.modelContext;
const bridge = new ToolBridge(tools, modelContext, globalThis);

export const bridgeTools: typeof Api.bridgeTools = async (options) => {
  if (!(await bridge.follow(options))) return false;
  // If this fails, the hub tries again until it knows.
  void fetchAccount().then(
    ({ user }) => user && ownHub.open(),
    () => ownHub.open(),
  );
  return true;
};

async function signedInBy(ceremony: Promise<unknown>): Promise<void> {
  await ceremony;
  if (bridge.isFollowing) ownHub.open();
}

export const reviewRequest: typeof Api.reviewRequest = (id) => {
  const address = `/svc/account/requests/${encodeURIComponent(id)}`;
  return open(address, '_blank', 'popup,width=520,height=720') !== null;
};

export const fetchAccount: typeof Api.fetchAccount = () => send('GET', '/svc/auth/me');
export const signIn: typeof Api.signIn = () => signedInBy(againWhenExpired(signInOnce));
export const signUp: typeof Api.signUp = (fields) =>
  signedInBy(againWhenExpired(() => signUpOnce(fields)));
export const addPasskey: typeof Api.addPasskey = async () =>
  void (await againWhenExpired(addPasskeyOnce));
export const signOut: typeof Api.signOut = async () => void (await post('logout', {}));
