import type { HttpAdapterHost } from '@nestjs/core';
import type { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { ReadinessChecks } from './readiness-checks.js';
import { ReadinessService } from './readiness.service.js';

const answers = async () => 'PONG';
const fails = () => Promise.reject(new Error('gone'));

const readinessOf = (
  query: () => Promise<unknown>,
  ping: () => Promise<unknown>,
  excluded: readonly string[] = [],
  listening = true,
) =>
  new ReadinessService(
    { httpAdapter: { getHttpServer: () => ({ listening }) } } as unknown as HttpAdapterHost,
    { query, options: { type: 'sqlite' } } as unknown as DataSource,
    new Registry(),
    new ReadinessChecks(),
    { ping } as unknown as Redis,
  ).read(excluded);

describe('readiness', () => {
  it.each([
    ['all answer', answers, answers, { database: 'up', redis: 'up' }, true],
    ['Redis does not', answers, fails, { database: 'up', redis: 'down' }, false],
    ['the database does not', fails, answers, { database: 'down', redis: 'up' }, false],
  ])('when %s', async (_what, query, ping, statuses, ready) => {
    const { dependencies, ...state } = await readinessOf(query, ping);
    const found = Object.entries(dependencies).map(([name, { status }]) => [name, status]);
    expect(Object.fromEntries(found)).toEqual(statuses);
    expect(state).toEqual({ ready, listening: true });
  });

  it('does not wait for what it is to leave out', async () => {
    const never = () => new Promise(() => {});
    const { ready, dependencies } = await readinessOf(answers, never, ['redis', 'nothing']);
    expect([ready, Object.keys(dependencies)]).toEqual([true, ['database']]);
    expect((await readinessOf(fails, answers, ['redis'])).ready).toBe(false);
  });

  it('is not there before the service listens', async () => {
    expect(await readinessOf(answers, answers, [], false)).toMatchObject({ ready: false });
  });
});
