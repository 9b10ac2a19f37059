import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { refusedWrite } from '#libs/platform';
import { Gauge, Registry } from '../prometheus.js';

export interface Health {
  readonly status: 'up' | 'down';
  readonly durationMs: number;
  /** Set for a storage that answers but refuses writes. */
  readonly readOnly?: true;
}

const LIMITS = {
  /** A probe that takes longer counts as down. */
  patienceMs: 1_000,
  /** How long a result stays fresh. */
  freshMs: 1_000,
};

/** What the probe of a storage finds that answers but refuses writes. */
const READ_ONLY = Symbol('READ_ONLY');

const DOWN = { status: 'down' } as const;

type Finding = Omit<Health, 'durationMs'>;

/**
 * A dependency of the service, and whether it answers. Concurrent callers share one probe, and there is at most one a
 * second: a prober can neither overload the dependency nor pile up requests on it.
 */
export class Dependency {
  private probing: Promise<Finding> | undefined;
  private finding: Promise<Health> | undefined;
  private freshUntil = 0;

  constructor(
    readonly name: string,
    private readonly probe: () => Promise<unknown>,
    private readonly limits = LIMITS,
  ) {}

  /** Never rejects. */
  check(): Promise<Health> {
    if (this.finding && performance.now() < this.freshUntil) return this.finding;
    this.freshUntil = Number.POSITIVE_INFINITY;
    this.finding = this.look();
    return this.finding;
  }

  private async look(): Promise<Health> {
    const startedAt = performance.now();
    this.probing ??= this.run();
    const late = sleep(this.limits.patienceMs, DOWN, { ref: false });
    const finding = await Promise.race([this.probing, late]);
    const endedAt = performance.now();
    this.freshUntil = endedAt + this.limits.freshMs;
    return { ...finding, durationMs: Math.round(endedAt - startedAt) };
  }

  private async run(): Promise<Finding> {
    try {
      const found = await this.probe();
      return found === READ_ONLY ? { status: 'up', readOnly: true } : { status: 'up' };
    } catch {
      return DOWN;
    } finally {
      this.probing = undefined;
    }
  }
}

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** The names of the built-in checks. */
const TAKEN = ['database', 'redis'];

/** Readiness checks for what a team's extension needs beside the service's storages. */
export class ReadinessChecks {
  private readonly checks: Dependency[] = [];

  /**
   * Holds `/readyz` at 503, under that name, while `probe` rejects or takes longer than a second. The probe runs at
   * most once a second, and never while its last run is pending. @throws for a name that is taken, or is not 1 to 32
   * of a-z, 0-9 and -, a letter first
   */
  add(name: string, probe: () => Promise<unknown>): void {
    if (!NAME.test(name)) throw new Error(`"${name}" cannot be the name of a readiness check`);
    if ([...TAKEN, ...this.checks.map((check) => check.name)].includes(name)) {
      throw new Error(`there is a readiness check "${name}" already`);
    }
    this.checks.push(new Dependency(name, async () => probe()));
  }

  get all(): readonly Dependency[] {
    return this.checks;
  }
}

export interface Readiness {
  readonly ready: boolean;
  /** False until the service listens, and again from the moment its shutdown begins. */
  readonly listening: boolean;
  readonly dependencies: Readonly<Record<string, Health>>;
}

const PING = 'SELECT 1';
const PING_POSTGRES = `SELECT current_setting('transaction_read_only') AS "readOnly"`;

/** Written to see whether Redis takes writes; any user of Redis that fits the documented rights may do this. */
const PROBE = 'accounts:readiness';
const PROBE_LIFETIME_MS = 1_000;

/**
 * Whether a balancer should send requests here. A read-only storage is reported as such and counts as up: reads
 * still work.
 */
@Injectable()
export class ReadinessService {
  private readonly database: Dependency;
  private readonly storages: readonly Dependency[];

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly dataSource: DataSource,
    registry: Registry,
    private readonly own: ReadinessChecks,
    @Optional() @Inject(Redis) redis: Redis | undefined,
  ) {
    this.database = new Dependency('database', () => this.pingDatabase());
    this.storages = [
      this.database,
      ...(redis ? [new Dependency('redis', () => this.pingRedis(redis))] : []),
    ];
    this.show(registry);
    if (this.isPostgres) this.showReadOnly(registry);
  }

  /** `excluded` are names of dependencies that are not probed, so the answer does not wait for them. */
  async read(excluded: readonly string[] = []): Promise<Readiness> {
    const asked = this.dependencies.filter(({ name }) => !excluded.includes(name));
    const checks = asked.map(async (one) => [one.name, await one.check()] as const);
    const findings = await Promise.all(checks);
    const { listening } = this.host.httpAdapter.getHttpServer() as Server;
    const allUp = findings.every(([, { status }]) => status === 'up');
    return { ready: listening && allUp, listening, dependencies: Object.fromEntries(findings) };
  }

  private get isPostgres() {
    return this.dataSource.options.type === 'postgres';
  }

  private async pingDatabase() {
    const [row] = await this.dataSource.query<{ readOnly?: string }[]>(
      this.isPostgres ? PING_POSTGRES : PING,
    );
    return row?.readOnly === 'on' ? READ_ONLY : undefined;
  }

  private async pingRedis(redis: Redis) {
    try {
      return await redis.set(PROBE, '', 'PX', PROBE_LIFETIME_MS);
    } catch (error) {
      if (refusedWrite(error) === undefined) throw error;
      return READ_ONLY;
    }
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

  private showReadOnly(registry: Registry) {
    const gauge: Gauge = new Gauge({
      name: 'gatehouse_database_read_only',
      help: '1 while Postgres answers and takes no writes',
      registers: [registry],
      collect: async () => {
        const { readOnly } = await this.database.check();
        gauge.set(readOnly ? 1 : 0);
      },
    });
  }
}
