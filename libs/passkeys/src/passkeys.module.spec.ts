import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { accountsMigrations } from '#libs/accounts';
import { startAccountsApp, SWEEP_MS } from '#libs/accounts/testing';
import { databaseMigrations } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { passkeysMigrations } from './migrations/passkeys-migrations.js';
import { PasskeysModule } from './passkeys.module.js';

describe('PasskeysModule in an application that has accounts and nothing else', () => {
  let app: NestExpressApplication;
  let origin: string;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    const migrations = [...accountsMigrations, ...passkeysMigrations, ...databaseMigrations];
    const started = await startAccountsApp(migrations, (accounts) => [
      PasskeysModule.forRoot({ relyingPartyName: 'Acme', imports: [accounts] }),
    ]);
    ({ app, stop } = started);
    origin = await started.listen();
  });
  afterEach(() => stop());

  it('begins both ceremonies', async () => {
    const options = { method: 'POST', body: JSON.stringify({ displayName: 'Ann' }) };
    for (const ceremony of ['register', 'login']) {
      const answer = await fetch(`${origin}/svc/auth/${ceremony}/options`, options);
      expect(await answer.json()).toMatchObject({
        challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      });
    }
  });

  it('removes what is known of sign-in challenges that have expired by itself', async () => {
    const { manager } = app.get(DataSource);
    await manager.insert('taken_challenges', { challengeHash: 'old', expiresAt: 1 });
    jest.advanceTimersByTime(SWEEP_MS);
    await eventually(async () => expect(await manager.count('taken_challenges')).toBe(0));
  });
});
