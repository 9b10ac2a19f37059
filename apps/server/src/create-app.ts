import { DiscoveryService, ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Registry } from 'prom-client';
import { BearerErrorFilter, IssuerKeysService } from '#libs/oauth';
import { SubscriptionsService } from '#libs/mcp';
import { LoadShedder, hasTracerProvider } from '#libs/platform';
import { GatewayAdapter, TabConnectionsService, TabInflowService } from '#libs/tab-hub';
import { AppModule } from './app.module.js';
import type { Extension } from './app.module-definition.js';
import type { Config } from './config/config.js';
import { expectMigrated } from './database.module.js';
import { expectFit } from './extension-fit.js';
import { ErrorFilter } from './http/error.filter.js';
import { createHttpAdapter } from './http/express.adapter.js';
import { watchLoop } from './http/admission.middleware.js';
import { errorFormats, routesOf } from './http/routes.js';
import { limitServer } from './http/server-limits.js';
import { UnreadAnswers } from './http/unread-answers.js';
import { lackingTexts } from './languages.js';
import { ServiceLogger } from './observability/logging/service.logger.js';
import { LoadMetricsService } from './observability/metrics/load-metrics.service.js';
import { showHub, showIssuerKeys } from './observability/metrics/replica-metrics.js';

/**
 * The whole service, ready to listen. `extensions` are what a team brings.
 * @throws ExtensionError for one that does not fit; NotMigratedError where the database lacks migrations that
 * the configuration does not let it run
 */
export async function createApp(config: Config, extensions: readonly Extension[] = []) {
  for (const extension of extensions) expectFit(extension, 'an extension');
  if (!config.migratesAtStart) await expectMigrated(config.database, extensions);
  const logger = new ServiceLogger(config.logLevel);
  const load = new LoadShedder();
  const answers = new UnreadAnswers();
  const traces = await openTraces(config);
  const devtools = await openDevtools(config, logger);
  const adapter = createHttpAdapter(config, logger, { load, answers }, traces?.traceRequest);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, [...extensions, ...(traces?.parts ?? []), ...devtools]),
    adapter,
    {
      logger,
      bodyParser: false,
      abortOnError: false,
      routeConflictPolicy: { duplicate: 'error' },
      snapshot: devtools.length > 0,
    },
  );
  const formatOf = errorFormats(routesOf(app.get(DiscoveryService), app.get(ModulesContainer)));
  app.useGlobalFilters(new ErrorFilter(formatOf), app.get(BearerErrorFilter));
  for (const line of lackingTexts(config, extensions)) logger.warn(line, 'Texts');
  app.get(LoadMetricsService).show(load, answers);
  const tabs = app.get(TabConnectionsService);
  showHub(app.get(Registry), tabs, app.get(TabInflowService));
  showIssuerKeys(app.get(Registry), app.get(IssuerKeysService));
  const server = app.getHttpServer();
  limitServer(server);
  watchLoop(server, load.lag);
  adapter.onEnd(() => app.get(SubscriptionsService).endAll());
  adapter.onEnd(() => tabs.sendIdleAway());
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
