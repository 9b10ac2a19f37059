import { type Configuration, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { epochSeconds } from '#libs/platform';
import { JWT_BEARER, type ManagedAccessService } from '../managed-access/managed-access.service.js';
import type { ManagedGrant } from '../managed-access/managed-grant.store.js';
import { UnexpectedLibraryError } from './provider-call.js';
import { prepareToken } from './provider-storage.js';

/**
 * Adds the grant type of RFC 7523 to a provider. The library authenticates the client before, and makes the access
 * token; everything else is decided by ManagedAccessService, whose refusals pass through the library as failures.
 */
export function addJwtBearer(
  provider: Provider,
  { features }: Configuration,
  managedAccess: ManagedAccessService,
): void {
  const { getResourceServerInfo } = features?.resourceIndicators ?? {};

  const tokenFor = async (
    context: KoaContextWithOIDC,
    { id, userId, clientId, createdAt, scope }: ManagedGrant,
    resource: string,
  ) => {
    const { client } = context.oidc;
    if (!client || !getResourceServerInfo) throw new UnexpectedLibraryError('no client is known');
    // The lifetime of the token depends on the beginning of the grant.
    const iat = epochSeconds(createdAt);
    const grant = new provider.Grant({ accountId: userId, clientId });
    context.oidc.entity('Grant', Object.assign(grant, { jti: id, iat }));
    const token = new provider.AccessToken({
      accountId: userId,
      client,
      grantId: id,
      gty: JWT_BEARER,
      scope,
    } as never);
    const info = await getResourceServerInfo(context, resource, client);
    token.resourceServer = new provider.ResourceServer(resource, info);
    context.oidc.entity('AccessToken', token);
    const row = await prepareToken('AccessToken', token);
    return { row, resource, scope, expiresIn: token.expiration };
  };

  provider.registerGrantType(
    JWT_BEARER,
    async (context) => {
      const { client, params } = context.oidc;
      const presented = {
        origin: provider.issuer,
        clientId: client?.clientId ?? '',
        clientName: client?.clientName,
        redirectUris: client?.redirectUris,
        assertion: textOf(params?.['assertion']) ?? '',
        scope: textOf(params?.['scope']),
        resource: textOf(params?.['resource']),
      };
      const { row, expiresIn, scope, resource } = await managedAccess.accept(
        presented,
        (grant, { resource: identifier }) => tokenFor(context, grant, identifier),
      );
      context.body = {
        access_token: row.value,
        expires_in: expiresIn,
        scope,
        token_type: 'Bearer',
        resource,
      };
    },
    ['assertion', 'scope', 'resource'],
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
