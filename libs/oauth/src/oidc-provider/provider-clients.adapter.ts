import type { Provider } from 'oidc-provider';
import { compareSecret } from '../clients/client-secret.js';
import { isUsableRedirect, matchesRegistered, redirectUriFault } from '../clients/redirect-uri.js';

/** Not in the library's types: what it checks metadata with. */
interface MetadataSchema {
  readonly redirect_uris: readonly string[];
  /** Throws the library's InvalidClientMetadata, `invalid_redirect_uri` when that is what it is about. */
  invalidate(message: string): never;
  redirectUris(): void;
}

/**
 * Makes a provider go by our rules where its own are too narrow: it knows neither all loopback
 * addresses nor several kinds of redirect URIs in one client, and it compares secrets as they are.
 */
export function applyClientRules(provider: Provider, privateUseSchemes: readonly string[]): void {
  const { Client } = provider;
  Client.prototype.redirectUriAllowed = function (uri) {
    return (
      isUsableRedirect(uri, privateUseSchemes) && matchesRegistered(uri, this.redirectUris ?? [])
    );
  };
  Client.prototype.compareClientSecret = function (presented) {
    return compareSecret(presented, this.clientSecret ?? '');
  };
  schemaOf(Client).redirectUris = function () {
    for (const uri of this.redirect_uris) {
      const fault = redirectUriFault(uri);
      if (fault !== undefined) this.invalidate(`redirect_uris ${fault}`);
    }
  };
}

const schemaOf = (Client: Provider['Client']) =>
  (Client as unknown as { Schema: { prototype: MetadataSchema } }).Schema.prototype;
