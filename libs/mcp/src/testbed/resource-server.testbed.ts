import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ArgumentsHost,
  Catch,
  type DynamicModule,
  type ExceptionFilter,
  HttpException,
  Module,
  type Provider,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import express, { type Response } from 'express';
import { DataSource } from 'typeorm';
import { ownOriginMiddleware, RefusalError, UserEntity } from '#libs/accounts';
import {
  bearer,
  giveToken,
  protectedResourceModule,
  SCOPES,
} from '../../../oauth/src/testbed/protected-resource.testbed.js';
import { McpModule } from '../mcp.module.js';
import type { McpEra } from './messages.testbed.js';

/** Stands in for the application's own filter, which turns outages into 503. */
@Catch()
class TestbedErrorFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof RefusalError) response.set(error.headers);
    response.status(statusOf(error)).type('text/plain').send(error.message);
  }
}

function statusOf(error: Error) {
  if (error instanceof RefusalError) return error.status;
  return error instanceof HttpException ? error.getStatus() : 503;
}

@Module({})
class TeamModule {}

@Module({})
class TestModule {}

/** The MCP endpoint with the test's tools; `replacements` may replace its providers. */
function testModule(
  database: string,
  tools: readonly Provider[],
  replacements: readonly Provider[],
): DynamicModule {
  const oauth = protectedResourceModule(database);
  const mcp = McpModule.forRoot({
    serviceName: 'Gatehouse',
    scopes: SCOPES,
    imports: [oauth],
    providers: [...replacements],
  });
  return { module: TestModule, imports: [{ module: TeamModule, providers: [...tools] }, mcp] };
}

/** The resource server alone, on a SQLite file and a port of its own, with the test's tools. */
export class ResourceServer {
  private constructor(
    private readonly app: NestExpressApplication,
    private readonly folder: string,
    readonly origin: string,
    readonly dataSource: DataSource,
  ) {}

  static async start(...tools: Provider[]): Promise<ResourceServer> {
    return ResourceServer.startWith([], ...tools);
  }

  /** Starts it with providers that replace its own. */
  static async startWith(
    replacements: readonly Provider[],
    ...tools: Provider[]
  ): Promise<ResourceServer> {
    const folder = await mkdtemp(join(tmpdir(), 'resource-server-'));
    const adapter = new ExpressAdapter(strictExpress());
    const app = await NestFactory.create<NestExpressApplication>(
      testModule(join(folder, 'test.sqlite'), tools, replacements),
      adapter,
      {
        logger: false,
        bodyParser: false,
        abortOnError: false,
        routeConflictPolicy: { duplicate: 'error' },
      },
    );
    app.useGlobalFilters(new TestbedErrorFilter());
    const server = await listen(app);
    const { port } = server.address() as AddressInfo;
    const dataSource = app.get(DataSource);
    for (const displayName of ['Ann', 'Bob']) {
      const id = displayName.toLowerCase();
      await dataSource.manager.insert(UserEntity, { id, displayName, createdAt: 0 });
    }
    return new ResourceServer(app, folder, `http://127.0.0.1:${port}`, dataSource);
  }

  /** Does not wait for open connections. */
  async close() {
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
    await rm(this.folder, { recursive: true });
  }

  /** Stores an access token by its name; by default a token of Ann with every scope. Bob exists as well. */
  give(token: string, of: Parameters<typeof giveToken>[3] = {}): Promise<string> {
    return giveToken(this.dataSource, this.origin, token, of);
  }

  get<T>(provider: abstract new (...args: never[]) => T): T {
    return this.app.get<T>(provider as never, { strict: false });
  }

  /** Posts a message as a client of this era does; `name` is that of its target. */
  send(era: McpEra, token: string, method: string, params?: object, name?: string) {
    return this.post(token, era.message(method, params), era.headers(method, name));
  }

  fetch(path: string, init?: RequestInit) {
    return fetch(this.origin + path, init);
  }

  /** Posts a message as a 2025 client does; a string goes out as it is. */
  post(
    token: string,
    message: unknown,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ) {
    return this.fetch('/svc/mcp', {
      method: 'POST',
      signal,
      body: typeof message === 'string' ? message : JSON.stringify(message),
      headers: {
        Authorization: bearer(token),
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...headers,
      },
    });
  }
}

/** Closes everything if the application does not start. */
async function listen(app: NestExpressApplication): Promise<Server> {
  try {
    return await app.listen(0, '127.0.0.1');
  } catch (error) {
    await app.get(DataSource).destroy();
    throw error;
  }
}

function strictExpress() {
  const server = express();
  server.enable('strict routing');
  server.enable('case sensitive routing');
  server.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  }, ownOriginMiddleware());
  return server;
}
