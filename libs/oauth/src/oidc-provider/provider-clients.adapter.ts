import type { Provider } from 'oidc-provider';
import { compareSecret } from '../client/client-authentication.js';
import { isUsableRedirect, matchesRegistered, redirectUriFault } from '../client/redirect-uri.js';
import { expectMethod, replaceMethods } from './replace-methods.js';
import { UnexpectedLibraryError } from './unexpected-library.error.js';

type ClientModel = InstanceType<Provider['Client']>;

/** The library's metadata checks, which are not in its types. */
interface MetadataSchema {
  readonly redirect_uris: readonly string[];
  /** Throws the library's InvalidClientMetadata; `invalid_redirect_uri` when the message is about that. */
  invalidate(message: string, code?: string): never;
  redirectUris(): void;
}

/**
 * Replaces a provider's client rules where they do not fit: the library does not accept all loopback
 * addresses nor several kinds of redirect URIs in one client, and compares secrets in plain text.
 * Throws UnexpectedLibraryError when the library's methods are not those that this replaces.
 */
export function applyClientRules(provider: Provider, privateUseSchemes: readonly string[]): void {
  const client: ClientModel = provider.Client.prototype;
  replaceMethods(client, {
    redirectUriAllowed(uri: string) {
      return (
        isUsableRedirect(uri, privateUseSchemes) && matchesRegistered(uri, this.redirectUris ?? [])
      );
    },
    compareClientSecret(presented: string) {
      return compareSecret(presented, this.clientSecret ?? '');
    },
  });
  const schema = schemaOf(provider.Client);
  expectMethod(schema, 'invalidate', 2);
  replaceMethods(schema, {
    redirectUris() {
      for (const uri of this.redirect_uris) {
        const fault = redirectUriFault(uri);
        if (fault !== undefined) this.invalidate(`redirect_uris ${fault}`);
      }
    },
  });
}

function schemaOf(Client: Provider['Client']): MetadataSchema {
  const { Schema } = Client as unknown as { Schema?: { prototype: MetadataSchema } };
  if (!Schema) throw new UnexpectedLibraryError('there is no Client.Schema');
  return Schema.prototype;
}
