import type { Provider } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Counter, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { BudgetStore, type Deletion, RedisBudgetStore, SqlBudgetStore } from '#libs/budget';

/** Counts the credits that go through another store; what was spent is the difference. */
export class MeteredBudgetStore extends BudgetStore {
  private readonly reserved: Counter;
  private readonly returned: Counter;
  private readonly refused: Counter;

  constructor(
    private readonly store: BudgetStore,
    registry: Registry,
  ) {
    super();
    const counter = (name: string, help: string) =>
      new Counter({ name, help, registers: [registry] });
    this.reserved = counter('gatehouse_budget_reserved_credits_total', 'Credits charged ahead');
    this.returned = counter('gatehouse_budget_returned_credits_total', 'Credits given back unused');
    this.refused = counter('gatehouse_budget_refusals_total', 'Charges beyond the daily limit');
  }

  override read(userId: string, day: string) {
    return this.store.read(userId, day);
  }

  override async reserve(userId: string, day: string, amount: number, limit: number) {
    const charged = await this.store.reserve(userId, day, amount, limit);
    if (charged === undefined) this.refused.inc();
    else this.reserved.inc(amount);
    return charged;
  }

  override forget(userId: string, deletion: Deletion) {
    return this.store.forget(userId, deletion);
  }

  override async giveBack(userId: string, day: string, amount: number) {
    await this.store.giveBack(userId, day, amount);
    this.returned.inc(amount);
  }

  override reset(userId: string, day: string) {
    return this.store.reset(userId, day);
  }
}

/** The budget store of this configuration, with its credits counted. */
export function meteredBudgetStore(onRedis: boolean): Provider {
  const useFactory = (registry: Registry, connection: Redis | DataSource) =>
    new MeteredBudgetStore(
      connection instanceof DataSource
        ? new SqlBudgetStore(connection)
        : new RedisBudgetStore(connection),
      registry,
    );
  return { provide: BudgetStore, useFactory, inject: [Registry, onRedis ? Redis : DataSource] };
}
