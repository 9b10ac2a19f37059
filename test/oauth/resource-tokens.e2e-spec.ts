import { randomUUID } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { type IssuedMachine, MachineClient, MACHINES } from '../support/machine-client.js';
import { type ManagedAccess, startManagedAccess } from '../support/managed-access.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import {
  introspect,
  NOTES_ELSEWHERE as NOTES,
  REPORTS,
  ResourceFiles,
} from '../support/resource-files.js';

const INACTIVE = { active: false };

const LIFETIMES = { opaque: 3600, jwt: 600 };

describe.each([NOTES, REPORTS])('$tokens tokens of a resource elsewhere', (own) => {
  const scope = own.scopes[0].name;
  const lifetime = LIFETIMES[own.tokens];
  let files: ResourceFiles;
  let managed: ManagedAccess;
  let admin: Admin;
  let machine: MachineClient;

  const told = (token: string) => introspect(managed.gatehouse, token, own);
  /** The claims of a token, by a server that asks nothing about it. */
  const claimsOf = async (token: string) => {
    const keys = (await new Browser(managed.gatehouse).get('/svc/jwks')).json();
    const expected = { issuer: managed.gatehouse.origin, audience: own.resource };
    return (await jwtVerify(token, createLocalJWKSet(keys as never), expected)).payload;
  };
  const newMachine = async () => {
    const made = ['clients', 'create', '--machine', '--name', 'Robot', '--scope', scope];
    const issued = await admin.json<IssuedMachine>(...made, '--resource', own.resource);
    return MachineClient.with(managed.gatehouse, issued);
  };

  beforeAll(async () => {
    files = await ResourceFiles.of(own);
    const variables = { ...files.variables, ...MACHINES };
    const scopes = ['account:read', scope];
    const entries = { acme: { name: 'Acme', scopes, accounts: 'create' } };
    managed = await startManagedAccess({ entries, variables });
    admin = new Admin(managed.gatehouse, [], variables);
  });
  beforeEach(async () => {
    machine = await newMachine();
  });
  afterAll(async () => {
    await managed.stop();
    files.remove();
  });

  it('have the machine as their subject, and no name', async () => {
    const answer = await machine.issue();
    const { access_token: token, ...rest } = answer.json<TokenResponse>();
    expect([answer.status, rest]).toEqual([
      200,
      { token_type: 'Bearer', expires_in: lifetime, scope, resource: own.resource },
    ]);
    const about = await told(token);
    expect(about).toEqual({
      active: true,
      scope,
      client_id: machine.id,
      sub: machine.id,
      aud: own.resource,
      iss: managed.gatehouse.origin,
      exp: Number(about['iat']) + lifetime,
      iat: expect.any(Number),
      token_type: 'Bearer',
    });
    if (own.tokens === 'opaque') expect(token).toMatch(/^[\w-]{43}$/);
    else {
      const { jti: _jti, ...claims } = await claimsOf(token);
      const { active: _active, token_type: _type, ...same } = about;
      expect(claims).toEqual(same);
    }
  });

  it('of a machine end when it gives them back, and when it is blocked or deleted', async () => {
    const [returned, kept] = [await machine.token(), await machine.token()];
    const other = await newMachine();
    for (const one of [other, machine]) {
      expect(await told(returned)).toMatchObject({ active: true });
      expect((await one.request({ token: returned }, '/svc/oauth/revoke')).status).toBe(200);
    }
    expect(await told(returned)).toEqual(INACTIVE);
    const revoked = { type: 'token-revoked', userId: null, clientId: machine.id };
    expect(managed.events).toContainEqual(expect.objectContaining(revoked));
    expect(await told(kept)).toMatchObject({ active: true });
    await admin.text('clients', 'block', machine.id, '--yes');
    expect(await told(kept)).toEqual(INACTIVE);
    const another = await other.token();
    await admin.text('clients', 'delete', other.id, '--yes');
    expect(await told(another)).toEqual(INACTIVE);
  });

  it('are issued for an assertion of a trusted issuer, with scopes of the resource alone, and end like others', async () => {
    const assertion = await managed.assertion(randomUUID(), {
      resource: own.resource,
      name: 'Ann',
    });
    const answer = await managed.present(assertion);
    const { access_token: token, ...rest } = answer.json<TokenResponse>();
    expect([answer.status, rest]).toEqual([
      200,
      { token_type: 'Bearer', expires_in: lifetime, scope, resource: own.resource },
    ]);
    const { id, secret } = managed.client;
    const about = await told(token);
    expect(about).toMatchObject({ active: true, client_id: id, scope, username: 'Ann' });
    if (own.tokens === 'jwt') expect(await claimsOf(token)).toMatchObject({ sub: about['sub'] });
    const app = OAuthClient.published(managed.gatehouse, id);
    expect((await app.token({ token, client_secret: secret })).status).toBe(200);
    expect(await told(token)).toEqual(INACTIVE);
  });
});
