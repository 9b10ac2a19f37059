// Tokens of machine clients, here and elsewhere, opaque or as JWTs: what both rows of them have in common.
import { BetterAuthPerson, TOKEN_PATH } from './better-auth.mjs';
import { durable } from './peers.mjs';
import { clientCredentials } from './person.mjs';
import { machine, oursWithResources } from './resources.mjs';

/** Sides that get tokens for a machine client of this resource of ours; `format` is `opaque` or `jwt`. */
export function sides(resource, format, goals) {
  const asking = (server, request) => async () => {
    const { access_token: token } = await server.json(request);
    if (token.includes('.') !== (format === 'jwt')) throw new Error(`not ${format}: ${token}`);
  };
  const gatehouse = async (server) =>
    asking(server, clientCredentials(await machine(server, resource)));
  const betterAuth = async (server) => {
    const [ann] = await BetterAuthPerson.signUp(server, 1);
    const { machine: made } = await ann.clients();
    const more = format === 'jwt' ? { resource: `${server.origin}/api` } : {};
    const secret = [made.client_id, made.client_secret];
    return asking(server, clientCredentials(secret, more, TOKEN_PATH));
  };
  const library = (server) => {
    const more = { resource: `${server.origin}/${format}`, scope: 'account:read' };
    return asking(server, clientCredentials(['machine', 'a secret of the bench'], more));
  };
  return [
    ...oursWithResources(gatehouse, { 'better-auth': [], 'oidc-provider': goals }),
    ...durable('better-auth', 'better-auth', { prepare: betterAuth }),
    ...durable('oidc-provider', 'oidc-provider', { prepare: library }),
  ];
}
