import { once } from 'node:events';

/** What the spec lets the client know: `mcpUrl`, `metadata` and perhaps `documentUrl`. */
export const known = JSON.parse(process.argv[2]);

/** An OAuthClientProvider as both SDKs take it: remembers whatever it is given, until it ends. */
export class Memory {
  clientMetadata = known.metadata;
  clientMetadataUrl = known.documentUrl;
  redirectUrl = known.metadata.redirect_uris[0];
  /** Parameters of the last callback. */
  callback;
  #state;
  #kept = {};

  state() {
    this.#state = crypto.randomUUID();
    return this.#state;
  }

  /** Shows `{ visit: <URL> }` to the user by way of the spec, which says `{ callback: <URL> }`. */
  async redirectToAuthorization(url) {
    process.send({ visit: url.href });
    const [{ callback }] = await once(process, 'message');
    const { origin, pathname, searchParams } = new URL(callback);
    if (origin + pathname !== this.redirectUrl) throw new Error('called back elsewhere');
    if (searchParams.get('state') !== this.#state) throw new Error('called back by another state');
    this.callback = searchParams;
  }

  clientInformation = () => this.#kept.client;
  saveClientInformation = (client) => void (this.#kept.client = client);
  tokens = () => this.#kept.tokens;
  saveTokens = (tokens) => void (this.#kept.tokens = tokens);
  codeVerifier = () => this.#kept.verifier;
  saveCodeVerifier = (verifier) => void (this.#kept.verifier = verifier);
  discoveryState = () => this.#kept.discovery;
  saveDiscoveryState = (discovery) => void (this.#kept.discovery = discovery);

  invalidateCredentials(scope) {
    if (scope === 'all') this.#kept = {};
    else delete this.#kept[scope];
  }
}
