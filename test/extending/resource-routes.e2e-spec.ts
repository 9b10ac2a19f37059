import { readFileSync } from 'node:fs';
import { Controller, Get, Next, UseGuards } from '@nestjs/common';
import type { NextFunction } from 'express';
import type { Extension } from '#server';
import { BearerGuard, ForResource, RequireScope, type Resource } from '#libs/oauth';
import { Caller, type McpCaller } from '#libs/mcp';
import { Browser } from '../support/browser.js';
import { type Gatehouse, useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { ProxiedBrowser } from '../support/proxied-browser.js';
import { requestTo } from '../support/request.js';
import { NOTES, ResourceFiles, resourcesFile } from '../support/resource-files.js';
import { bring, bringGuarded, startTeamApp } from './team-app.js';

const LISTS: Resource = {
  resource: '/team/lists',
  name: 'Lists',
  scopes: [
    { name: 'lists:read', description: 'read your lists', texts: { de: 'Ihre Listen lesen' } },
    { name: 'lists:write', description: 'write lists for you' },
  ],
  tokens: 'opaque',
};
const METADATA = '/.well-known/oauth-protected-resource/team/lists';

@Controller('team/lists')
@ForResource('/team/lists')
@RequireScope('lists:read')
class ListsController {
  @Get()
  read(@Caller() { scopes }: McpCaller) {
    return { scopes };
  }
}

@Controller('team/lists')
@ForResource('/team/lists')
@RequireScope('lists:read')
class FurtherListsController {
  @Get('drafts')
  @RequireScope('lists:write')
  drafts() {
    return 'drafts';
  }

  @Get('any')
  any() {
    return 'any';
  }
}

@Controller('team/own')
class OwnController {
  @Get()
  @UseGuards(BearerGuard)
  own() {
    return 'own';
  }

  @Get('lists')
  @ForResource('/team/lists/')
  @UseGuards(BearerGuard)
  lists() {
    return 'lists';
  }
}

const lists: Partial<Extension> = {
  ...bringGuarded(ListsController, FurtherListsController, OwnController),
  resources: [LISTS],
};

describe('routes for a resource of a team’s (contract: Resources)', () => {
  const gatehouse = useGatehouse(() => startTeamApp(lists));
  let browser: Browser;
  let client: OAuthClient;
  let resource: string;

  beforeAll(async () => {
    resource = `${gatehouse.origin}/team/lists`;
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp('Ann');
    client = await OAuthClient.register(gatehouse);
  });

  const get = (path: string, token?: string, headers: Record<string, string> = {}) =>
    client.send('GET', path, undefined, {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    });
  const tokenFor = async (...scopes: string[]) =>
    (await client.connect(browser, scopes, { resource })).access_token;

  it('have metadata of their own, on each origin', async () => {
    for (const host of ['localhost', '127.0.0.1']) {
      const origin = `http://${host}:${gatehouse.port}`;
      const answer = await get(METADATA, undefined, { host: `${host}:${gatehouse.port}` });
      expect([answer.status, answer.json()]).toEqual([
        200,
        {
          resource: `${origin}/team/lists`,
          authorization_servers: [origin],
          scopes_supported: ['lists:read', 'lists:write'],
          bearer_methods_supported: ['header'],
          resource_name: 'Lists',
        },
      ]);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      });
    }
    const { body } = await requestTo(gatehouse).get('/.well-known/oauth-authorization-server');
    expect(body.protected_resources).toEqual([`${gatehouse.origin}/svc/mcp`, resource]);
    expect(body.scopes_supported).toContain('lists:write');
  });

  it('whose metadata pages of other origins may read, and which is read only', async () => {
    const preflight = requestTo(gatehouse).options(METADATA).set({
      origin: 'https://inspector.example',
      'access-control-request-method': 'GET',
    });
    const { headers } = await preflight.expect(204, '');
    expect(headers['access-control-allow-origin']).toBe('*');
    const { status, headers: refused } = await client.send('POST', METADATA);
    expect([status, refused['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await client.send('HEAD', `${METADATA}?x=y`)).status).toBe(200);
    expect((await client.send('POST', `${METADATA}/`)).status).toBe(405);
    expect((await get(`${METADATA}/`)).text).toBe((await get(METADATA)).text);
    for (const path of [`${METADATA}/x`, '/.well-known/oauth-protected-resource']) {
      expect((await client.send('POST', path)).status).toBe(404);
      expect((await get(path)).text).toBe('not found');
    }
  });

  it('401 | no token | with a challenge that leads to their metadata', async () => {
    for (const path of ['/team/lists', '/team/lists/any', '/team/own/lists']) {
      const answer = await get(path);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        `Bearer realm="OAuth", resource_metadata="${gatehouse.origin}${METADATA}", scope="lists:read lists:write"`,
      ]);
    }
    const { headers } = await get('/team/own');
    expect(headers['www-authenticate']).toContain('oauth-protected-resource/svc/mcp"');
  });

  it('take tokens of their resource, which is good nowhere else', async () => {
    const token = await tokenFor('lists:read');
    expect((await get('/team/lists', token)).json()).toEqual({ scopes: ['lists:read'] });
    expect((await get('/team/own/lists', token)).status).toBe(200);
    expect((await get('/team/own', token)).status).toBe(401);
    const elsewhere = await client.mcp(token);
    expect(elsewhere.status).toBe(401);
    expect(elsewhere.headers['www-authenticate']).toContain('oauth-protected-resource/svc/mcp"');
    const host = { host: `127.0.0.1:${gatehouse.port}` };
    expect((await get('/team/lists', token, host)).status).toBe(401);
  });

  it('401 | a token for /svc/mcp | with the challenge of the resource', async () => {
    const { access_token: token } = await client.connect(browser);
    const answer = await get('/team/lists', token);
    expect([answer.status, answer.json()['error']]).toEqual([401, 'invalid_token']);
    expect(answer.headers['www-authenticate']).toContain(`${METADATA}", scope="lists:read `);
    expect((await get('/team/own', token)).status).toBe(200);
  });

  it('403 | a token without the scope | naming the scopes to ask for, of this resource', async () => {
    const answer = await get('/team/lists/drafts', await tokenFor('lists:read'));
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toContain(
      'scope="lists:read lists:write", error="insufficient_scope"',
    );
    const token = await tokenFor('lists:read', 'lists:write');
    expect((await get('/team/lists/drafts', token)).text).toBe('drafts');
  });

  it('say what their scopes allow in the language of the page', async () => {
    const path = client.authorizePath({ resource, ui_locales: 'de' });
    expect((await browser.get(path)).text).toContain('Ihre Listen lesen');
  });
});

it('they take JWTs where the resource has those, and refuse them at once when they end', async () => {
  const files = await ResourceFiles.of();
  const { SIGNING_KEYS_FILE = '' } = files.variables;
  const withJwts = { ...lists, resources: [{ ...LISTS, tokens: 'jwt' as const }] };
  await expect(startTeamApp(withJwts)).rejects.toThrow(
    'entry 1 of resources of extensions has jwt for tokens, which takes SIGNING_KEYS_FILE; set that',
  );
  const gatehouse = await startTeamApp(withJwts, { SIGNING_KEYS_FILE });
  try {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const resource = `${gatehouse.origin}/team/lists`;
    const { access_token: token } = await client.connect(browser, ['lists:read'], { resource });
    expect(token.split('.')).toHaveLength(3);
    const statusOf = async (path: string, bearer: string) =>
      (await client.send('GET', path, undefined, { authorization: `Bearer ${bearer}` })).status;
    expect(await statusOf('/team/lists', token)).toBe(200);
    expect(await statusOf('/team/own', token)).toBe(401);
    for (const forged of [`${token}x`, 'a.b.c', 'x'.repeat(43), 'x'.repeat(9000)]) {
      expect([forged.length, await statusOf('/team/lists', forged)]).toEqual([forged.length, 401]);
    }
    await client.revoke(token);
    expect(await statusOf('/team/lists', token)).toBe(401);
  } finally {
    await gatehouse.stop();
    files.remove();
  }
});

it('docs/guides/resources.md shows this', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const guide = read('../../docs/guides/resources.md');
  const [, snippet] = /^```ts\n([^]*?)^```$/m.exec(guide) ?? [];
  expect(read('resource-routes.e2e-spec.ts')).toContain(snippet);
});

it('a resource on one origin of several is known there alone', async () => {
  const [one, two] = ['https://one.example', 'https://two.example'];
  const here = { ...LISTS, resource: `${one}/team/lists` };
  const gatehouse = await startTeamApp(
    { ...lists, resources: [here] },
    { PUBLIC_ORIGINS: `${one},${two}`, TRUSTED_PROXIES: 'loopback', ...resourcesFile(NOTES) },
  );
  try {
    const at = async (origin: string, path: string) =>
      new ProxiedBrowser(gatehouse, origin).get(path);
    expect((await at(one, METADATA)).json()).toMatchObject({ resource: here.resource });
    expect((await at(two, METADATA)).status).toBe(404);
    expect((await at(one, '/team/lists')).status).toBe(401);
    expect((await at(two, '/team/lists')).status).toBe(404);
    const listed = async (origin: string) =>
      (await at(origin, '/.well-known/oauth-authorization-server')).json()['protected_resources'];
    expect(await listed(one)).toEqual([`${one}/svc/mcp`, NOTES.resource, here.resource]);
    expect(await listed(two)).toEqual([`${two}/svc/mcp`, NOTES.resource]);
  } finally {
    await gatehouse.stop();
  }
});

it('a resource with a query has metadata of its own beside the one without', async () => {
  const ofTeam = { ...LISTS, resource: '/team/lists?of=team', scopes: NOTES.scopes };
  const gatehouse = await startTeamApp({ resources: [LISTS, ofTeam] });
  try {
    const namedAt = async (path: string) =>
      (await requestTo(gatehouse).get(path).expect(200)).body.resource.replace(
        gatehouse.origin,
        '',
      );
    expect(await namedAt(`${METADATA}?of=team`)).toBe('/team/lists?of=team');
    for (const path of [METADATA, `${METADATA}?of=me`]) {
      expect(await namedAt(path)).toBe('/team/lists');
    }
  } finally {
    await gatehouse.stop();
  }
});

describe('routes for a resource elsewhere', () => {
  @Controller('team/notes')
  class NotesController {
    @Get()
    @ForResource(NOTES.resource)
    @UseGuards(BearerGuard)
    read() {
      return 'notes';
    }

    @Get(':any')
    @ForResource(NOTES.resource)
    @UseGuards(BearerGuard)
    pass(@Next() next: NextFunction) {
      next();
    }
  }

  @Controller('team/notes')
  class NextController {
    @Get('next')
    @UseGuards(BearerGuard)
    own() {
      return 'own';
    }
  }

  let gatehouse: Gatehouse;
  let client: OAuthClient;
  let token: string;

  beforeAll(async () => {
    const routes = bringGuarded(NotesController, NextController);
    gatehouse = await startTeamApp(routes, resourcesFile(NOTES));
    const browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    const { resource } = NOTES;
    ({ access_token: token } = await client.connect(browser, ['notes:read'], { resource }));
  });
  afterAll(() => gatehouse.stop());

  const statusOf = async (path: string, host = 'localhost') => {
    const headers = { authorization: `Bearer ${token}`, host: `${host}:${gatehouse.port}` };
    return (await client.send('GET', path, undefined, headers)).status;
  };

  it('refuse a token of another origin', async () => {
    expect(await statusOf('/team/notes')).toBe(200);
    expect(await statusOf('/team/notes', '127.0.0.1')).toBe(401);
  });

  it('let no token pass that a route before them, for another resource, took', async () => {
    expect(await statusOf('/team/notes/next')).toBe(401);
  });
});

it('without further resources the paths of their metadata are free', async () => {
  @Controller('.well-known/oauth-protected-resource')
  class TeamMetadataController {
    @Get('team')
    metadata() {
      return { resource: 'team' };
    }
  }
  const gatehouse = await startTeamApp(bring([TeamMetadataController]));
  const { text } = await requestTo(gatehouse).get('/.well-known/oauth-protected-resource/team');
  await gatehouse.stop();
  expect(text).toBe('{"resource":"team"}');
});

describe('the start fails', () => {
  @Controller('team/other')
  class OtherController {
    @Get()
    @ForResource('/team/other')
    @UseGuards(BearerGuard)
    read() {
      return 'never';
    }
  }

  @Controller('team/foreign')
  @ForResource('/team/lists')
  class ForeignController {
    @Get()
    @RequireScope('account:read')
    read() {
      return 'never';
    }
  }

  @Controller('team/mixed')
  @RequireScope('account:read')
  class MixedController {
    @Get()
    @ForResource('/team/lists')
    read() {
      return 'never';
    }
  }

  it.each<[string, Partial<Extension>, string]>([
    [
      'for a route whose resource does not have the scope of its controller',
      { ...bringGuarded(MixedController), resources: [LISTS] },
      'MixedController.read requires the scope "account:read", which is not one of: lists:read, lists:write',
    ],
    [
      'for a route whose resource is not listed',
      { ...bringGuarded(OtherController), resources: [LISTS] },
      'OtherController.read is for the resource "/team/other", which is not listed',
    ],
    [
      'for a route whose resource does not have its scope',
      { ...bringGuarded(ForeignController), resources: [LISTS] },
      'ForeignController.read requires the scope "account:read", which is not one of: lists:read, lists:write',
    ],
    [
      'for a resource that is no path',
      { resources: [LISTS, { ...LISTS, resource: 'team' }] },
      'in entry 2 of resources of extensions resource takes an https URL',
    ],
  ])('%s', async (_what, extension, line) => {
    await expect(startTeamApp(extension)).rejects.toThrow(line);
  });
});
