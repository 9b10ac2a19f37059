import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpAdapterHost } from '@nestjs/core';
import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { eventually } from '#libs/platform/testing';
import { Registry } from '../prometheus.js';
import { Dependency, ReadinessChecks, ReadinessService } from './readiness.service.js';

const HASTY = { patienceMs: 20, freshMs: 0 };

describe('Dependency', () => {
  it('is up when the probe resolves, down when it rejects or throws', async () => {
    const up = new Dependency('a', async () => 1);
    const down = new Dependency('b', async () => Promise.reject(new Error('gone')));
    const broken = new Dependency('c', () => {
      throw new Error('broken');
    });
    const healths = await Promise.all([up, down, broken].map((one) => one.check()));
    expect(healths.map(({ status }) => status)).toEqual(['up', 'down', 'down']);
    expect(healths[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('is probed once however many ask', async () => {
    let probes = 0;
    const probe = async () => {
      probes += 1;
      await sleep(5);
    };
    const limits = { patienceMs: 10_000, freshMs: 60_000 };
    const dependency = new Dependency('a', probe, limits);
    await Promise.all(Array.from({ length: 50 }, () => dependency.check()));
    await dependency.check();
    expect(probes).toBe(1);
  });

  it('is down when the probe hangs, is not probed again meanwhile, and recovers', async () => {
    let probes = 0;
    let answer = () => {};
    const probe = () => {
      probes += 1;
      return new Promise<void>((resolve) => {
        answer = resolve;
      });
    };
    const dependency = new Dependency('a', probe, HASTY);
    expect((await dependency.check()).status).toBe('down');
    expect((await dependency.check()).status).toBe('down');
    expect(probes).toBe(1);
    const recovery = eventually(async () =>
      expect(await dependency.check()).toMatchObject({ status: 'up' }),
    );
    const answering = setInterval(() => answer(), 1);
    await recovery;
    clearInterval(answering);
  });
});

const answers = async () => 'PONG';

describe('readiness checks of a team', () => {
  it.each(['', 'Stock', '1st', 'a b', 'a"b', 'x'.repeat(33)])('cannot be named "%s"', (name) => {
    expect(() => new ReadinessChecks().add(name, answers)).toThrow('cannot be the name');
  });

  it.each(['database', 'redis', 'stock'])('are there once: "%s"', (name) => {
    const checks = new ReadinessChecks();
    checks.add('stock', answers);
    expect(() => checks.add(name, answers)).toThrow(`there is a readiness check "${name}" already`);
  });

  it('are down where the probe throws before it waits', async () => {
    const checks = new ReadinessChecks();
    checks.add('stock', () => {
      throw new Error('not even begun');
    });
    expect(await Promise.all(checks.all.map((one) => one.check()))).toMatchObject([
      { status: 'down' },
    ]);
  });
});

const fails = () => Promise.reject(new Error('gone'));

const readinessOf = (
  query: () => Promise<unknown>,
  set: () => Promise<unknown>,
  excluded: readonly string[] = [],
  listening = true,
) =>
  new ReadinessService(
    { httpAdapter: { getHttpServer: () => ({ listening }) } } as unknown as HttpAdapterHost,
    { query, options: { type: 'sqlite' } } as unknown as DataSource,
    new Registry(),
    new ReadinessChecks(),
    { set } as unknown as Redis,
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

  it.each(['OOM command not allowed', "READONLY You can't write", 'MISCONF Redis is configured'])(
    'a Redis that answers "%s" is up and takes no writes',
    async (message) => {
      const refuses = () =>
        Promise.reject(Object.assign(new Error(`${message} …`), { name: 'ReplyError' }));
      const { ready, dependencies } = await readinessOf(answers, refuses);
      expect([ready, dependencies['redis']]).toMatchObject([
        true,
        { status: 'up', readOnly: true },
      ]);
    },
  );

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
