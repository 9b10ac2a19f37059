import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { type SqliteClaim, claimSqliteFile } from '#libs/platform';

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
