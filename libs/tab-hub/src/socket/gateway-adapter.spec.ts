import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import type { NextFunction, Request, Response } from 'express';
import { WebSocket } from 'ws';
import { ownOriginMiddleware } from '#libs/accounts';
import { AccountTurns } from '#libs/platform';
import { collectGarbage, eventually } from '#libs/platform/testing';
import { GatewayAdapter } from './gateway-adapter.js';
import { TabHubTestbed } from './tab-hub.testbed.js';
import { TabInflowService } from './tab-inflow.service.js';

const CONNECTIONS = 50;

@WebSocketGateway({ path: '/echo' })
class EchoGateway {
  @SubscribeMessage('say')
  say(_client: WebSocket, data: unknown) {
    return { event: 'said', data };
  }
}

@WebSocketGateway({ path: 'acme/echo' })
class RelativeGateway extends EchoGateway {}

/** The same path as that of RelativeGateway. */
@WebSocketGateway({ path: '/acme/echo' })
class OtherGateway {
  @SubscribeMessage('sing')
  sing() {
    return { event: 'sung' };
  }
}

@WebSocketGateway()
class RootGateway extends EchoGateway {}

@Module({ providers: [EchoGateway, RelativeGateway, OtherGateway, RootGateway] })
class EchoModule {}

describe('GatewayAdapter', () => {
  let app: INestApplication;
  let clients: WebSocket[];
  let onRequest: (request: Request, response: Response) => void;

  beforeEach(async () => {
    clients = [];
    onRequest = () => undefined;
    const inflow = new TabInflowService(new TabHubTestbed().connections, new AccountTurns());
    const providers = [{ provide: TabInflowService, useValue: inflow }];
    app = await NestFactory.create({ module: EchoModule, providers }, { logger: false });
    app.use(ownOriginMiddleware(undefined));
    app.use((request: Request, response: Response, next: NextFunction) => {
      onRequest(request, response);
      next();
    });
    app.useWebSocketAdapter(new GatewayAdapter(app));
    await app.listen(0, '127.0.0.1');
  });
  afterEach(async () => {
    for (const client of clients) client.terminate();
    await app.close();
  });

  const origin = () => `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  function connect(from?: string, path = '/echo') {
    const options = from === undefined ? {} : { origin: from };
    const client = new WebSocket(origin().replace('http', 'ws') + path, options);
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  }

  it.each([
    ['our own origin', '/echo', () => origin()],
    ['no page', '/echo', () => undefined],
    ['no page', '/acme/echo', () => undefined],
    ['no page', '/', () => undefined],
  ])(
    'connects a gateway of a team, asked from %s at %s, and hands its messages over',
    async (_w, path, from) => {
      const client = connect(from(), path);
      await once(client, 'open');
      client.send(JSON.stringify({ event: 'say', data: 1 }));
      const [said] = (await once(client, 'message')) as [Buffer];
      expect(JSON.parse(said.toString())).toEqual({ event: 'said', data: 1 });
    },
  );

  it('hands messages over to all gateways of a path', async () => {
    const client = connect(undefined, '/acme/echo');
    await once(client, 'open');
    for (const [event, told] of [
      ['say', 'said'],
      ['sing', 'sung'],
    ] as const) {
      client.send(JSON.stringify({ event }));
      const [message] = (await once(client, 'message')) as [Buffer];
      expect(JSON.parse(message.toString())).toEqual({ event: told });
    }
  });

  it('refuses pages of other origins with 403, as an answer that ends like any other', async () => {
    const closed = Promise.withResolvers<void>();
    onRequest = (_request, response) => void response.once('close', closed.resolve);
    const client = connect('https://evil.example');
    const [, answer] = (await once(client, 'unexpected-response')) as [unknown, Response];
    expect(answer.statusCode).toBe(403);
    await expect(closed.promise).resolves.toBeUndefined();
  });

  it('keeps neither requests nor responses of its connections', async () => {
    const kept: WeakRef<object>[] = [];
    onRequest = (...exchange) => kept.push(...exchange.map((one) => new WeakRef<object>(one)));
    for (let n = 0; n < CONNECTIONS; n += 1) connect();
    await eventually(() =>
      expect(clients.every(({ readyState }) => readyState === WebSocket.OPEN)).toBe(true),
    );
    await collectGarbage();
    expect(kept.filter((one) => one.deref() !== undefined).length).toBeLessThan(CONNECTIONS / 5);
  });

  it('closes connections with 1001 when the application ends', async () => {
    const client = connect();
    await once(client, 'open');
    const closed = once(client, 'close');
    await app.close();
    expect((await closed)[0]).toBe(1001);
  });
});
