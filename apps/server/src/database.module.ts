import {
  type DynamicModule,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { accountsMigrations } from '#libs/accounts';
import { budgetMigrations } from '#libs/budget';
import { oauthMigrations } from '#libs/oauth';
import { passkeysMigrations } from '#libs/passkeys';
import {
  claimSqliteFile,
  createDataSource,
  databaseMigrations,
  type DatabaseUrl,
  migrate,
  openMigrated,
  type SqliteClaim,
} from '#libs/platform';
import { auditMigrations } from './audit/audit-migrations.js';
import { consoleMigrations } from './console/console-migrations.js';
import { outboxMigrations } from './outbox/outbox-migrations.js';
import type { Extension } from './app.module-definition.js';
import { explained } from './database-failure.js';

/** Warns when another process serves from the same SQLite file: without Redis they share only the file's content. */
export class SqliteClaimService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Storage');
  private claim: SqliteClaim | undefined;

  constructor(private readonly path: string) {}

  async onApplicationBootstrap() {
    this.claim = await claimSqliteFile(this.path);
    if (this.claim.isFirst) return;
    this.logger.warn(
      `another Gatehouse runs on ${this.path}: accounts are shared, but sign-ups under way, open tabs and visitor limits are each one's own; stop one of them, or set REDIS_URL for both`,
    );
  }

  async onApplicationShutdown() {
    await this.claim?.release();
  }
}

/** In the order they run, across the libs; a lib's own list only ever grows at its end. */
export const migrations = [
  ...databaseMigrations,
  ...accountsMigrations,
  ...passkeysMigrations,
  ...budgetMigrations,
  ...oauthMigrations,
  ...auditMigrations,
  ...outboxMigrations,
  ...consoleMigrations,
];

export const allMigrations = (extensions: readonly Partial<Extension>[]) => [
  ...migrations,
  ...extensions.flatMap((extension) => extension.migrations ?? []),
];

type Entities = DataSourceOptions['entities'];

@Module({})
export class DatabaseModule {
  static forRoot(
    database: DatabaseUrl,
    extensions: readonly Partial<Extension>[] = [],
  ): DynamicModule {
    return DatabaseModule.opened(database, async (entities) => {
      const all = { entities, migrations: allMigrations(extensions) };
      const dataSource = await createDataSource(database, all).initialize();
      await migrate(dataSource);
      return dataSource;
    });
  }

  /** For a database that is known to have all migrations. */
  static forUnchanged(database: DatabaseUrl): DynamicModule {
    return DatabaseModule.opened(database, (entities) =>
      createDataSource(database, { entities }).initialize(),
    );
  }

  /**
   * For a process that may not change the schema: the start fails with NotMigratedError where a migration is missing.
   */
  static forMigrated(database: DatabaseUrl, extensions: readonly Extension[]): DynamicModule {
    return DatabaseModule.opened(database, (entities) =>
      openMigrated(database, entities, allMigrations(extensions)),
    );
  }

  private static opened(
    database: DatabaseUrl,
    open: (entities: NonNullable<Entities>) => Promise<DataSource>,
  ): DynamicModule {
    const { type } = database;
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ type, autoLoadEntities: true, toRetry: () => false }),
          dataSourceFactory: (options) => explained(database, () => open(options?.entities ?? [])),
        }),
      ],
    };
  }
}

/** Runs the pending migrations, all or none, and returns their names; safe in parallel. @throws DatabaseStartError */
export async function migrateDatabase(
  database: DatabaseUrl,
  extensions: readonly Extension[] = [],
): Promise<string[]> {
  return explained(database, async () => {
    const dataSource = createDataSource(database, { migrations: allMigrations(extensions) });
    await dataSource.initialize();
    try {
      return await migrate(dataSource);
    } finally {
      await dataSource.destroy();
    }
  });
}

/** Only checks. @throws NotMigratedError when the database lacks a migration, DatabaseStartError */
export async function expectMigrated(
  database: DatabaseUrl,
  extensions: readonly Extension[],
): Promise<void> {
  const open = () => openMigrated(database, [], allMigrations(extensions));
  const dataSource = await explained(database, open);
  await dataSource.destroy();
}
