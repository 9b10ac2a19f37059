import { userInfo } from 'node:os';
import { type DynamicModule, type LoggerService, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccountsAdministrationModule, ActivityReader, OwnAccountService } from '#libs/accounts';
import { BudgetModule, BudgetService } from '#libs/budget';
import {
  ConnectionCalls,
  ConnectionReaderService,
  ConnectionUsage,
  OAuthAdministrationModule,
  ResourcesService,
} from '#libs/oauth';
import { PasskeysAdministrationModule } from '#libs/passkeys';
import { AccountAnnouncerService } from '#libs/tab-hub';
import { type Extension, hasEventSink } from '../app.module-definition.js';
import { BudgetDeletionService } from '../app.module.js';
import { AuditConnectionCalls } from '../audit/audit-calls.store.js';
import { AuditActivityReader } from '../audit/audit-reader.store.js';
import { administrationModules, builtInModules } from '../built-in.modules.js';
import type { Config } from '../config/config.js';
import { DatabaseModule } from '../database.module.js';
import { AccountExportModule } from '../export/account-export.module.js';
import { MetricsModule } from '../observability/metrics/metrics.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { redisAdapters, redisModules, tabBusOnRedis } from '../redis.providers.js';
import { scopesOf } from '../resources.js';
import { printable, type Terminal } from '../admin/commands/output.js';
import type { TaskContext } from '../admin/commands/task.js';
import { OPERATIONS } from '../admin/operations.js';

/** Nest's loggers of a failed start: the caller reports the error, which would otherwise be printed twice. */
const BEGINNING = new Set(['TypeOrmModule', 'ExceptionHandler']);

class StderrLogger implements LoggerService {
  constructor(private readonly terminal: Pick<Terminal, 'warn'>) {}

  log(): void {}

  warn(said: unknown) {
    this.write('warning', said);
  }

  error(said: unknown, ...rest: unknown[]) {
    if (!BEGINNING.has(String(rest.at(-1)))) this.write('error', said);
  }

  private write(severity: string, said: unknown) {
    this.terminal.warn(`${severity}: ${printable(String(said))}\n`);
  }
}

const MAX_LENGTH = 64;

/** The user of this process: SUDO_USER after sudo; the number of a user without a name, as in some containers. */
function operatingSystemUser({ SUDO_USER }: NodeJS.ProcessEnv): string {
  return (SUDO_USER || findName()).slice(0, MAX_LENGTH);
}

function findName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Notify the replicas of changes. Without Redis no notification is sent; the replicas notice changes by themselves. */
const notifiers = [tabBusOnRedis, AccountAnnouncerService];

/** What connections are described with. The extensions that are not named here lack. */
const connectionProviders = (config: Config, extensions: readonly Extension[]): Provider[] => {
  const { serviceName, publicOrigins } = config;
  const scopes = scopesOf(config, extensions);
  const resources = [...config.resources, ...extensions.flatMap((one) => one.resources ?? [])];
  const useValue = new ResourcesService({ serviceName, publicOrigins, scopes, resources });
  return [
    { provide: ResourcesService, useValue },
    { provide: ConnectionCalls, useClass: AuditConnectionCalls },
    { provide: ConnectionUsage, useExisting: BudgetService },
    ConnectionReaderService,
  ];
};

/**
 * The command line runs beside the service, on the same database, which has to exist, and the same Redis. Of
 * extensions it loads what they replace in `budget` and `accountExport`; it writes the events that the service then delivers.
 */
@Module({})
class AdminModule {
  static forRoot(config: Config, extensions: readonly Extension[]): DynamicModule {
    const { database, redisUrl, budgetDailyLimit: dailyLimit } = config;
    const accounts = AccountsAdministrationModule;
    const shared = redisUrl !== undefined;
    const replaced = (name: 'budget' | 'accountExport') =>
      extensions.flatMap<Provider>(({ replacements }) => replacements?.[name] ?? []);
    const budget = BudgetModule.forRoot({
      dailyLimit,
      imports: [MetricsModule],
      providers: [...(shared ? redisAdapters.budget : []), ...replaced('budget')],
    });
    const events = OutboxModule.forRoot({
      webhook: config.eventsWebhook,
      hasSink: hasEventSink(extensions),
      delivers: false,
    });
    const accountExport = AccountExportModule.forRoot({
      imports: [accounts, PasskeysAdministrationModule, OAuthAdministrationModule, budget],
      providers: [
        ...connectionProviders(config, extensions),
        OwnAccountService,
        { provide: ActivityReader, useClass: AuditActivityReader },
        ...replaced('accountExport'),
      ],
    });
    const { administration } = administrationModules(config, extensions, accounts, {
      budget,
      events,
      accountExport,
    });
    return {
      module: AdminModule,
      imports: [
        DatabaseModule.forMigrated(database, extensions),
        ...redisModules(config),
        accounts,
        PasskeysAdministrationModule,
        budget,
        {
          ...administration,
          controllers: [...OPERATIONS],
          providers: [
            ...(administration.providers ?? []),
            ...connectionProviders(config, extensions),
          ],
        },
      ],
      providers: [BudgetDeletionService, ...(shared ? notifiers : [])],
    };
  }
}

/**
 * Entities are declared where a module is made, by `TypeOrmModule.forFeature`; the modules themselves do not run here.
 */
async function declareEntities(config: Config, extensions: readonly Extension[]) {
  if (extensions.length === 0) return;
  const { builtIn } = builtInModules(config, extensions);
  await Promise.all(extensions.flatMap(({ modules }) => modules?.(builtIn) ?? []));
}

export interface CommandContext {
  readonly terminal: Terminal;
  readonly extensions: readonly Extension[];
  /** The actor of the audit trail; the operating-system user by default. */
  readonly actor?: string | undefined;
}

/**
 * Runs some work on the service's storage. When it resolves, events are written and replicas notified.
 * @throws NotMigratedError
 */
export async function withAdministration<Result>(
  config: Config,
  { terminal, extensions, actor }: CommandContext,
  work: (to: TaskContext) => Promise<Result>,
): Promise<Result> {
  await declareEntities(config, extensions);
  const app = await NestFactory.createApplicationContext(AdminModule.forRoot(config, extensions), {
    logger: new StderrLogger(terminal),
    abortOnError: false,
  });
  try {
    return await work({
      get: (type) => app.get(type, { strict: false }),
      actor: actor ?? operatingSystemUser(terminal.variables),
      interruption: () => terminal.interruption(),
    });
  } finally {
    await app.close();
  }
}
