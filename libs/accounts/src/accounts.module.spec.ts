import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type Response } from 'express';
import { DataSource } from 'typeorm';
import { HeldBytes } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { BUDGET, startAccountsApp, SWEEP_MS } from './accounts-app.testbed.js';
import { countBodyMemory, holderOf } from './body/body-bytes.js';
import { RefusalError } from './http/refusal.error.js';
import { accountsMigrations } from './migrations/accounts-migrations.js';
import { RecoveryCodesService } from './recovery/recovery-code.service.js';
import { ownOriginMiddleware } from './request-origin/own-origin.middleware.js';
import { SessionEntity } from './session/session.entity.js';
import { BrowserSessionsService } from './session/session.service.js';
import { InviteStore } from './sign-up/invite.store.js';
import { UserStore } from './user/user.store.js';

const ann = { id: 'ann', displayName: 'Ann' };

@Catch(RefusalError)
class RefusalFilter implements ExceptionFilter<RefusalError> {
  catch({ status, headers, message }: RefusalError, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    response.status(status).set(headers).json({ error: message });
  }
}

describe('AccountsModule in an application that has nothing else of the service', () => {
  let app: NestExpressApplication;
  let origin: string;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    const started = await startAccountsApp(accountsMigrations);
    ({ app, stop } = started);
    app.useGlobalFilters(new RefusalFilter());
    origin = await started.listen();
  });
  afterEach(() => stop());

  const signIn = () =>
    app.get(DataSource).transaction(async (manager) => {
      await app.get(UserStore).insert(manager, ann);
      const began = { by: 'recovery' } as const;
      const session = { userId: ann.id, origin, browser: null, began };
      return app.get(BrowserSessionsService).start(manager, session);
    });

  it('says who is signed in', async () => {
    const cookie = `session=${await signIn()}`;
    const answer = await fetch(`${origin}/svc/auth/me`, { headers: { cookie } });
    expect(await answer.json()).toEqual({ user: ann, budget: BUDGET });
  });

  it('counts a request for its account from when it may begin, one without a body as well', async () => {
    const pages = express()
      .use(ownOriginMiddleware(), countBodyMemory(new HeldBytes({ perHolder: 1, inAll: 1 })))
      .use((request, response, next) => {
        const found = app.get(BrowserSessionsService).findInTurn(request, response);
        found.then(() => response.send(holderOf(request)), next);
      })
      .listen(0, '127.0.0.1');
    await once(pages, 'listening');
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    const holderWith = async (cookie: string) =>
      (await fetch(origin, { headers: { cookie } })).text();
    expect(await holderWith(`session=${await signIn()}`)).toBe('account ann');
    expect(await holderWith('')).toBe('visitor local');
    pages.closeAllConnections();
    pages.close();
  });

  it('refuses in the words of the filter', async () => {
    const answer = await fetch(`${origin}/svc/auth/logout`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.json()).toEqual({ error: 'this route takes POST only' });
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ['sessions', 'sessions', signIn],
    [
      'links for recovery',
      'recovery_codes',
      async () => {
        await signIn();
        await app.get(RecoveryCodesService).createLinkCode(ann.id, null);
      },
    ],
    [
      'invites',
      'invites',
      () =>
        app.get(InviteStore).create({ uses: 1, expiresAt: Date.now() + 60_000, createdBy: 'root' }),
    ],
  ])('removes %s that have expired by itself', async (_what, table, make) => {
    await make();
    const { manager } = app.get(DataSource);
    await manager.updateAll(table, { expiresAt: 1 });
    jest.advanceTimersByTime(SWEEP_MS);
    await eventually(async () => expect(await manager.count(table)).toBe(0));
  });

  it('brings an account down to the 100 sessions that were used last', async () => {
    await signIn();
    const { manager } = app.get(DataSource);
    const about = { userId: ann.id, origin, createdAt: 0, expiresAt: Date.now() + 60_000 };
    for (let n = 0; n < 350; n += 1) {
      await manager.insert(SessionEntity, { ...about, tokenHash: `ann-${n}`, lastSeenAt: n });
    }
    jest.advanceTimersByTime(SWEEP_MS);
    const used = await eventually(async () => {
      const left = await manager.find(SessionEntity, { order: { lastSeenAt: 'ASC' } });
      expect(left).toHaveLength(100);
      return left;
    });
    expect(used[0]?.tokenHash).toBe('ann-251');
  });
});
