import {
  type CallHandler,
  type DynamicModule,
  type ExecutionContext,
  Injectable,
  Module,
  type Provider,
  Scope,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { ContentScreener, type Extension } from '#server';
import { AccountPolicy } from '#libs/accounts';
import { BudgetStore } from '#libs/budget';
import { ClientPolicy } from '#libs/oauth';
import { bring, startTeamApp } from './team-app.js';

@Module({})
class InnerModule {}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  canActivate() {
    return true;
  }
}

class AcmeClientPolicy extends ClientPolicy {
  async refusalOf() {
    return undefined;
  }
}

const ENHANCER = {
  catch: () => undefined,
  canActivate: () => true,
  intercept: (_context: ExecutionContext, next: CallHandler) => next.handle(),
  transform: (value: unknown) => value,
};

const ALLOWING = { provide: ContentScreener, useValue: { screen: async () => 'accepted' } };

/** A team's module may import a promise, as in Nest. */
const within = (...providers: Provider[]) =>
  bring([], [Promise.resolve<DynamicModule>({ module: InnerModule, providers })]);

describe('a module of a team', () => {
  it.each([APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE])(
    'cannot provide %s',
    async (provide) => {
      await expect(startTeamApp(within({ provide, useValue: ENHANCER }))).rejects.toMatchObject({
        name: 'ExtensionError',
        message: `InnerModule provides ${provide}: it would apply to the service's own routes; use the decorators of Nest on yours`,
      });
    },
  );

  it('cannot provide a global guard for each request', async () => {
    const starting = startTeamApp(within({ provide: APP_GUARD, useClass: PerRequest }));
    await expect(starting).rejects.toThrow('InnerModule provides APP_GUARD: ');
  });

  it.each([
    [AccountPolicy, 'accounts'],
    [ClientPolicy, 'oauth'],
    [ContentScreener, 'screening'],
  ])('cannot provide %p, which would replace nothing there', async (provide, home) => {
    await expect(startTeamApp(within({ provide, useValue: {} }))).rejects.toMatchObject({
      name: 'ExtensionError',
      message: `InnerModule provides ${provide.name}, which replaces nothing there: list it in replacements.${home}`,
    });
  });

  it('cannot change a built-in module for itself, where the service goes on with its own', async () => {
    const changed: Extension['modules'] = ({ screening }) => [
      { ...screening, providers: [...(screening.providers ?? []), ALLOWING] },
    ];
    await expect(startTeamApp({ modules: changed })).rejects.toMatchObject({
      name: 'ExtensionError',
      message: expect.stringMatching(/^there is a changed copy of screening: import the one that /),
    });
  });

  it('cannot bring a second ScheduleModule, which would run intervals of the service twice', async () => {
    const modules = () => [ScheduleModule.forRoot()];
    await expect(startTeamApp({ modules })).rejects.toMatchObject({
      name: 'ExtensionError',
      message: expect.stringMatching(/^a module imports ScheduleModule, which the service has: /),
    });
  });

  it('cannot replace a port by less than it: the start says which method is missing', async () => {
    class Store {
      async read(_userId: string, day: string) {
        return { day, used: 0 };
      }
    }
    for (const by of [{ useClass: Store }, { useFactory: async () => new Store() }]) {
      const budget = [{ provide: BudgetStore, ...by }] as never;
      await expect(startTeamApp({ replacements: { budget } })).rejects.toMatchObject({
        name: 'ExtensionError',
        message:
          'what replaces BudgetStore lacks reserve(), forget(), giveBack(), reset(), reserveWithin(), giveBackWithin(), usedBy(): a replacement needs every method of its port',
      });
    }
  });

  it('may provide what is its own, a class that extends a port too', async () => {
    const { stop } = await startTeamApp(within(AcmeClientPolicy, PerRequest));
    await stop();
  });
});
