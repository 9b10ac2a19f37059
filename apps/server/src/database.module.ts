import {
  type DynamicModule,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions, MigrationInterface } from 'typeorm';
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
import { outboxMigrations } from './outbox/outbox-migrations.js';
import { explained } from './storage-problems.js';

abstract class SqliteFile {
  abstract readonly path: string;
}

/** Warns when another process serves from the same SQLite file: without Redis they share only the file's content. */
@Injectable()
export class SoleProcessService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Storage');
  private claim: SqliteClaim | undefined;

  constructor(@Inject(SqliteFile) private readonly file: SqliteFile) {}

  /** For a service that keeps its state in this file and in its process. */
  static providers(path: string): Provider[] {
    return [SoleProcessService, { provide: SqliteFile, useValue: { path } }];
  }

  async onApplicationBootstrap() {
    const { path } = this.file;
    this.claim = await claimSqliteFile(path);
    if (this.claim.isFirst) return;
    this.logger.warn(
      `another Gatehouse runs on ${path}: accounts are shared, but sign-ins under way, open tabs and visitor limits are each one's own; stop one of them, or set REDIS_URL for both`,
    );
  }

  async onApplicationShutdown() {
    await this.claim?.release();
  }
}

type Migration = new () => MigrationInterface;

/** In the order they run, across the libs; a lib's own list only ever grows at its end. */
export const migrations = [
  ...databaseMigrations,
  ...accountsMigrations,
  ...passkeysMigrations,
  ...budgetMigrations,
  ...oauthMigrations,
  ...auditMigrations,
  ...outboxMigrations,
];

type Entities = DataSourceOptions['entities'];

/** The one data source, for everyone: open before anything else starts. */
@Module({})
export class DatabaseModule {
  /** Runs missing migrations as well. */
  static forRoot(database: DatabaseUrl, further: readonly Migration[] = []): DynamicModule {
    return DatabaseModule.opened(database, async (entities) => {
      const all = { entities, migrations: [...migrations, ...further] };
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
  static forMigrated(database: DatabaseUrl): DynamicModule {
    return DatabaseModule.opened(database, (entities) =>
      openMigrated(database, entities, migrations),
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
