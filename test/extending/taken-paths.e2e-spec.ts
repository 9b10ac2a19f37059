import { All, Controller, type DynamicModule, Get, type Type } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { WebSocketGateway } from '@nestjs/websockets';
import { call } from '../support/http.js';
import { bring, startTeamApp, TeamModule } from './team-app.js';

/** A team's controller with one route. */
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

describe('a controller of a team', () => {
  const started = async (controller: Type<object>, ...further: DynamicModule[]) => {
    const { stop } = await startTeamApp(bring([controller], further));
    await stop();
  };

  it.each<[string, string, string, typeof Get, string]>([
    ['the very path', 'svc/auth', 'me', All, '/svc/auth/me of AccountController.me'],
    ['the metadata', '.well-known', 'oauth-:document', Get, '/.well-known/oauth-'],
    ['a socket', 'svc/me', '{*rest}', All, '/svc/me/'],
    ['all paths', '', '{*rest}', All, ' of '],
  ])('cannot take %s', async (_what, prefix, path, method, owner) => {
    const starting = started(controllerAt(prefix, path, method));
    await expect(starting).rejects.toMatchObject({
      name: 'PathTakenError',
      message: expect.stringMatching(/^\S+ of TeamController\.answer can match \S+ of \S+,[^\n]*$/),
    });
    await expect(starting).rejects.toThrow(owner);
  });

  it.each([
    ['/svc/me/tabs', '/svc/me/tabs of Tabs'],
    ['svc/me/tabs', '/svc/me/tabs of Tabs'],
    ['/SVC/me/Tabs', '/svc/me/tabs of Tabs'],
    ['/svc/auth/me', '/svc/auth/me of AccountController.me'],
    ['/svc/me/apps/acme', '/svc/me/apps/{*rest}'],
  ])('is no gateway at %s either', async (path, owner) => {
    class TeamGateway {
      readonly path = path;
    }
    WebSocketGateway({ path })(TeamGateway);
    const module = { module: TeamModule, providers: [TeamGateway] };
    const starting = startTeamApp(bring([], [module])).then(({ stop }) => stop());
    await expect(starting).rejects.toMatchObject({
      name: 'PathTakenError',
      message: expect.stringMatching(/^\S+ of TeamGateway can match \S+ of \S+,[^\n]*$/),
    });
    await expect(starting).rejects.toThrow(owner);
  });

  it('cannot take one by way of RouterModule, or with one of several paths', async () => {
    const router = RouterModule.register([{ path: 'svc/auth', module: TeamModule }]);
    const routed = started(controllerAt('', 'me'), router);
    await expect(routed).rejects.toThrow('/svc/auth/me of TeamController.answer');
    const several = started(controllerAt('', ['acme', 'svc/mcp']));
    await expect(several).rejects.toThrow('/svc/mcp of TeamController.answer');
  });

  it.each([
    ['svc/auth', 'acme', '/svc/auth/acme'],
    ['', '', '/'],
  ])('has any path that the service does not have: /%s/%s', async (prefix, path, address) => {
    const { port, stop } = await startTeamApp(bring([controllerAt(prefix, path)]));
    const headers = { host: 'localhost' };
    const answer = await call(port, { method: 'GET', path: address, headers });
    await stop();
    expect([answer.status, answer.text]).toEqual([200, 'team']);
  });
});
