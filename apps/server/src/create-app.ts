import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type Extension } from './app.module.js';
import type { Config } from './config/config.js';
import { ErrorFilter } from './platform/http/error.filter.js';
import { createHttpAdapter } from './platform/http/express.adapter.js';
import { limitServer } from './platform/http/server-limits.js';
import { ServiceLogger } from './platform/logging/service.logger.js';

/** The whole service, ready to listen. `extensions` are modules of a team's own. */
export async function createApp(config: Config, extensions: readonly Extension[] = []) {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, extensions),
    createHttpAdapter(config),
    {
      logger: new ServiceLogger(config.logLevel),
      bodyParser: false,
      abortOnError: false,
      routeConflictPolicy: { duplicate: 'error' },
      return503OnClosing: true,
    },
  );
  app.useGlobalFilters(new ErrorFilter());
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  limitServer(app.getHttpServer());
  return app;
}
