import {
  All,
  Controller,
  type DynamicModule,
  Get,
  Module,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { createApp, type Extension, readConfig } from '#server';
import { call } from '../support/http.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

@Module({})
class TeamModule {}

/** A controller of a team's with one route. */
function controllerAt(prefix: string, path: string | string[], method = Get): Type<object> {
  class TeamController {
    answer() {
      return 'team';
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(TeamController.prototype, 'answer') ?? {};
  method(path)(TeamController.prototype, 'answer', descriptor);
  Controller(prefix)(TeamController);
  return TeamController;
}

const bring = (
  controller: Type<object>,
  further: NonNullable<ModuleMetadata['imports']> = [],
): Extension => ({
  modules: () => [
    { module: TeamModule, controllers: [controller] } satisfies DynamicModule,
    ...further,
  ],
});

describe('a controller of a team', () => {
  let storage: TestStorage;

  beforeAll(async () => {
    storage = await storageForTests();
  });
  afterAll(() => storage.dispose());

  async function startWith<T>(extension: Extension, work: (port: number) => Promise<T>) {
    const variables = { PORT: '0', LOG_LEVEL: 'fatal', ...storage.environment };
    const app = await createApp(readConfig(variables), [extension]);
    try {
      await app.listen(0, '127.0.0.1');
      return await work(Number(new URL(await app.getUrl()).port));
    } finally {
      await app.close();
    }
  }
  const started = (extension: Extension) => startWith(extension, async () => 'started');

  it.each<[string, string, string, typeof Get, string]>([
    ['the very path', 'svc/auth', 'me', All, '/svc/auth/me of AccountController.me'],
    ['one method of it', '', 'svc/auth/login/verify', Get, 'CeremoniesController.'],
    ['a parameter over it', 'svc', ':area/me', Get, '/svc/auth/me of AccountController.me'],
    ['a path below a fallback', 'svc/oauth', 'extra', Get, '/svc/oauth/{*rest}'],
    ['a path below a collection', 'svc/me/apps', ':id', All, '/svc/me/apps/{*rest}'],
    ['the metadata', '.well-known', ':document', Get, '/.well-known/oauth-'],
    ['a socket', 'svc/me', '{*rest}', All, '/svc/me/'],
    ['all paths', '', '{*rest}', All, ' of '],
  ])('cannot take %s', async (_what, prefix, path, method, owner) => {
    const starting = started(bring(controllerAt(prefix, path, method)));
    await expect(starting).rejects.toMatchObject({
      name: 'PathTakenError',
      message: expect.stringMatching(/^\S+ of TeamController\.answer can match \S+ of \S+,[^\n]*$/),
    });
    await expect(starting).rejects.toThrow(owner);
  });

  it('cannot take one by way of RouterModule, or with one of several paths', async () => {
    const routed = bring(controllerAt('', 'me'), [
      RouterModule.register([{ path: 'svc/auth', module: TeamModule }]),
    ]);
    await expect(started(routed)).rejects.toThrow('/svc/auth/me of TeamController.answer');
    const several = bring(controllerAt('', ['acme', 'svc/mcp']));
    await expect(started(several)).rejects.toThrow('/svc/mcp of TeamController.answer');
  });

  it.each([
    ['svc/auth', 'acme'],
    ['svc', 'acme/{*rest}'],
    ['acme', ':area/me'],
    ['', ''],
  ])('has any path that the service does not have: /%s/%s', async (prefix, path) => {
    const address = `/${prefix}/${path}`.replace(/\{\*rest\}|:area/, 'x').replaceAll(/\/+/g, '/');
    const place = (port: number) =>
      call(port, {
        method: 'GET',
        path: address.replace(/(.)\/$/, '$1'),
        headers: { host: 'localhost' },
      });
    const answer = await startWith(bring(controllerAt(prefix, path)), place);
    expect([answer.status, answer.text]).toEqual([200, 'team']);
  });
});
