import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { LoadShedder, hasTracerProvider, lostSpans } from '#libs/platform';
import { GatewayAdapter } from '#libs/tab-hub';
import { AppModule } from './app.module.js';
import type { Extension } from './app.module-definition.js';
import type { Config } from './config/config.js';
import { expectMigrated } from './database.module.js';
import { expectFit } from './extension-fit.js';
import { createHttpAdapter } from './http/express.adapter.js';
import { UnreadAnswers } from './http/unread-answers.js';
import { lackingTexts } from './languages.js';
import { requestLog } from './observability/logging/request-log.middleware.js';
import { ServiceLogger } from './observability/logging/service.logger.js';

/**
 * The whole service with `extensions`, ready to listen. @throws ExtensionError for one that does not fit;
 * NotMigratedError where the configuration does not let pending migrations run
 */
export async function createApp(config: Config, extensions: readonly Extension[] = []) {
  for (const extension of extensions) expectFit(extension, 'an extension');
  if (!config.migratesAtStart) await expectMigrated(config.database, extensions);
  const logger = new ServiceLogger(config.logLevel);
  const load = new LoadShedder();
  const answers = new UnreadAnswers();
  const traces = await openTraces(config);
  const devtools = await openDevtools(config, logger);
  const adapter = createHttpAdapter(config, requestLog(logger, traces?.traceRequest), {
    load,
    answers,
  });
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(
      config,
      [...extensions, ...(traces?.parts ?? []), ...devtools],
      [
        { provide: LoadShedder, useValue: load },
        { provide: UnreadAnswers, useValue: answers },
      ],
    ),
    adapter,
    {
      logger,
      bodyParser: false,
      abortOnError: false,
      routeConflictPolicy: { duplicate: 'error' },
      snapshot: devtools.length > 0,
    },
  );
  for (const line of lackingTexts(config, extensions)) logger.warn(line, 'Texts');
  const copies = lostSpans();
  if (copies !== undefined) logger.warn(copies, 'Tracing');
  app.useWebSocketAdapter(new GatewayAdapter(app));
  return app;
}

/** Uses the provider that a team registered first, otherwise ours. Loaded only where traces are configured. */
async function openTraces({ tracesEndpoint }: Config) {
  const isProviderOurs = !hasTracerProvider();
  if (isProviderOurs && tracesEndpoint === undefined) return undefined;
  const { requestTracer } = await import('./observability/tracing/request-span.js');
  const traceRequest = requestTracer(isProviderOurs);
  if (!isProviderOurs || tracesEndpoint === undefined) return { traceRequest, parts: [] };
  const { startTracing, TracingModule } = await import('./observability/tracing/sdk.js');
  startTracing(tracesEndpoint);
  const parts: Partial<Extension>[] = [{ modules: () => [TracingModule] }];
  return { traceRequest, parts };
}

/** Nest Devtools, loaded only where they are configured. Without their package the service does without them. */
async function openDevtools({ devtoolsPort }: Config, logger: ServiceLogger) {
  if (devtoolsPort === undefined) return [];
  const { loadDevtools } = await import('./observability/devtools/devtools.module.js');
  const devtools = await loadDevtools(devtoolsPort);
  if (!devtools) logger.warn(DEVTOOLS_MISSING, 'Devtools');
  const parts: Partial<Extension>[] = devtools ? [{ modules: () => [devtools] }] : [];
  return parts;
}

const DEVTOOLS_MISSING =
  'DEVTOOLS_PORT is set, but Nest Devtools are not installed: npm install @nestjs/devtools-integration@12 installs them';
