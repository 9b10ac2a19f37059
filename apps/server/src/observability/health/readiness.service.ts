import type { Server } from 'node:http';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Redis } from 'ioredis';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { Dependency, type Health } from './dependency.js';
import { ReadinessChecks } from './readiness-checks.js';

export interface Readiness {
  readonly ready: boolean;
  /** False before the service listens and from the moment on that it ends. */
  readonly listening: boolean;
  readonly dependencies: Readonly<Record<string, Health>>;
}

/** Whether a balancer should send requests here. */
@Injectable()
export class ReadinessService {
  private readonly storages: readonly Dependency[];

  constructor(
    private readonly host: HttpAdapterHost,
    dataSource: DataSource,
    registry: Registry,
    private readonly own: ReadinessChecks,
    @Optional() @Inject(Redis) redis: Redis | undefined,
  ) {
    this.storages = [
      new Dependency('database', () => dataSource.query('SELECT 1')),
      ...(redis ? [new Dependency('redis', () => redis.ping())] : []),
    ];
    this.show(registry);
  }

  /** `excluded` are names of dependencies that are not asked, and so not waited for. */
  async read(excluded: readonly string[] = []): Promise<Readiness> {
    const asked = this.dependencies.filter(({ name }) => !excluded.includes(name));
    const checks = asked.map(async (one) => [one.name, await one.check()] as const);
    const findings = await Promise.all(checks);
    const { listening } = this.host.httpAdapter.getHttpServer() as Server;
    const allUp = findings.every(([, { status }]) => status === 'up');
    return { ready: listening && allUp, listening, dependencies: Object.fromEntries(findings) };
  }

  private get dependencies(): readonly Dependency[] {
    return [...this.storages, ...this.own.all];
  }

  private show(registry: Registry) {
    const gauge = new Gauge({
      name: 'gatehouse_dependency_up',
      help: '1 while a storage, or what a team checks, answers within a second',
      labelNames: ['dependency'],
      registers: [registry],
      collect: async () => {
        const set = async (one: Dependency) => {
          const { status } = await one.check();
          gauge.set({ dependency: one.name }, status === 'up' ? 1 : 0);
        };
        await Promise.all(this.dependencies.map(set));
      },
    });
  }
}
