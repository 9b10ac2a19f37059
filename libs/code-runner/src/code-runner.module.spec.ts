import { Test, type TestingModule } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  BudgetEntity,
  ConnectionBudgetEntity,
  OwnLimitEntity,
  budgetMigrations,
  BudgetModule,
  BudgetService,
} from '#libs/budget';
import { BilledRunsService } from './billing/billed-runs.service.js';
import { CodeRunnerModule } from './code-runner.module.js';
import { ScreeningModule } from './screening/screening.module.js';

describe('CodeRunnerModule, as its comment says', () => {
  let module: TestingModule;

  beforeAll(async () => {
    const database = TypeOrmModule.forRoot({
      type: 'sqlite',
      database: ':memory:',
      entities: [BudgetEntity, ConnectionBudgetEntity, OwnLimitEntity],
      migrations: budgetMigrations,
      migrationsRun: true,
    });
    const budget = BudgetModule.forRoot({ dailyLimit: 1_000 });
    const screening = ScreeningModule.forRoot({ webhookUrl: undefined, imports: [budget] });
    const codeRunner = CodeRunnerModule.forRoot({ imports: [budget, screening] });
    module = await Test.createTestingModule({ imports: [database, budget, codeRunner] }).compile();
  });
  afterAll(() => module.close());

  it('runs code and bills it, without the app', async () => {
    const run = {
      userId: 'ann',
      app: 'Robot',
      code: 'return input + 1',
      input: 1,
      timeoutMs: 5_000,
    };
    const { value, creditsUsed } = await module.get(BilledRunsService).run(run);
    expect(value).toBe(2);
    const { used } = await module.get(BudgetService).read('ann');
    expect(used).toBe(creditsUsed);
  });
});
