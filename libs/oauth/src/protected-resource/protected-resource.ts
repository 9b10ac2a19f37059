import { resourceOf } from '../grant/grant.js';
import type { Scope } from '../scopes/scope.js';

/** The URL of the metadata of the resource at one of our origins (RFC 9728 §3.1). */
export const resourceMetadataUrlOf = (origin: string) =>
  `${origin}/.well-known/oauth-protected-resource/svc/mcp`;

export const scopeNames = (scopes: readonly Scope[]) => scopes.map(({ name }) => name);

/** The protected resource metadata document (RFC 9728 §2) of one origin. */
export const protectedResourceMetadata = (
  origin: string,
  serviceName: string,
  scopes: readonly Scope[],
) => ({
  resource: resourceOf(origin),
  authorization_servers: [origin],
  scopes_supported: scopeNames(scopes),
  bearer_methods_supported: ['header'],
  resource_name: serviceName,
});
