import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { All, Controller, Get, Module, Put, Req } from '@nestjs/common';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import type { Request } from 'express';
import { WebSocket } from 'ws';
import type { JsonObject } from '#libs/platform';
import { JsonBody } from '#libs/accounts';
import {
  type Certificate,
  findFreePort,
  findNginx,
  selfSignedCertificate,
} from '#libs/platform/testing';
import type { Gatehouse } from '../support/gatehouse.js';
import { call, type Call } from '../support/http.js';
import { type NginxServer, SITE_PAGE, startNginxServer } from '../support/services/nginx-server.js';
import { startTlsTunnel, type TlsTunnel } from '../support/tls-tunnel.js';
import { bring, startTeamApp } from './team-app.js';

@Controller()
class CardsController {
  @Get(['acme/cards', 'svc/cards', 'acme.json'])
  show(@Req() { headers }: Request) {
    return headers;
  }

  @Put('acme/cards/:id')
  put(@JsonBody() body: JsonObject) {
    return { body };
  }

  @All('elsewhere')
  elsewhere() {
    return 'not handed on';
  }
}

@WebSocketGateway({ path: '/acme/live' })
class LiveGateway {
  private forwarded: unknown;

  handleConnection(_client: unknown, request: IncomingMessage) {
    this.forwarded = request.headers['x-forwarded-host'];
  }

  @SubscribeMessage('ask')
  ask() {
    return { event: 'told', data: this.forwarded };
  }
}

@Module({ providers: [LiveGateway] })
class LiveModule {}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The examples in the comments of the shipped list. */
const EXAMPLES = [...read('ops/nginx/compose/own-paths/none.conf').matchAll(/^# (\S+ 1;)$/gm)].map(
  ([, line = '']) => line,
);

/** Headers of a visitor that the service would believe if a proxy sent them. */
const FORGED = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-port': '1',
  'x-real-ip': '203.0.113.9',
  'x-request-id': 'of-my-own',
  forwarded: 'host=evil.example',
  upgrade: 'h2c',
};

/** The shipped configuration has two replicas. */
const twice = (address: string) => [address, address];

const isInstalled = findNginx() !== undefined;

(isInstalled ? describe : describe.skip)(
  'own paths behind the shipped nginx (left out where it is not installed)',
  () => {
    const certificate: Certificate = selfSignedCertificate(['localhost']);
    let gatehouse: Gatehouse;
    let nginx: NginxServer;
    let tunnel: TlsTunnel;
    let host: string;

    const startNginx = async (ownPaths?: string) => {
      const port = Number(new URL(`https://${host}`).port);
      const replicas = twice(`127.0.0.1:${gatehouse.port}`);
      const address = `127.0.0.1:${port}`;
      return startNginxServer({ address, replicas, certificate, ownPaths });
    };
    const ask = (path: string, { headers = {}, ...other }: Partial<Call> = {}) =>
      call(tunnel.port, { method: 'GET', path, headers: { host, ...headers }, ...other });

    beforeAll(async () => {
      const port = await findFreePort();
      host = `localhost:${port}`;
      const variables = { PUBLIC_ORIGINS: `https://${host}`, TRUSTED_PROXIES: 'loopback' };
      gatehouse = await startTeamApp(bring([CardsController], [LiveModule]), variables);
      nginx = await startNginx([...EXAMPLES, '/svc/cards 1;'].join('\n'));
      const ca = certificate.certificate;
      tunnel = await startTlsTunnel({ host: '127.0.0.1', port, ca });
    });
    afterAll(async () => {
      await tunnel.stop();
      await nginx.stop();
      await gatehouse.stop();
    });

    it.each(['/acme/cards', '/svc/cards'])(
      '%s: no header of a visitor gets through',
      async (path) => {
        const { status, text } = await ask(path, { headers: FORGED });
        expect(status).toBe(200);
        const told = JSON.parse(text) as Record<string, string>;
        expect(told).toMatchObject({
          host,
          'x-forwarded-host': host,
          'x-forwarded-proto': 'https',
          'x-forwarded-for': '127.0.0.1',
          'x-real-ip': '127.0.0.1',
          'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
        });
        for (const name of ['forwarded', 'upgrade', 'x-forwarded-port']) {
          expect(told).not.toHaveProperty(name);
        }
      },
    );

    it('are passed on as WebSockets too, to a gateway', async () => {
      const socket = new WebSocket(`ws://localhost:${tunnel.port}/acme/live`, {
        headers: { host, 'x-forwarded-host': 'evil.example' },
      });
      await once(socket, 'open');
      socket.send(JSON.stringify({ event: 'ask', data: 'how' }));
      const [told] = (await once(socket, 'message')) as [Buffer];
      expect(JSON.parse(told.toString())).toEqual({ event: 'told', data: host });
      socket.terminate();
    });

    it('are listed as docs/guides/operating.md has it', () => {
      expect(EXAMPLES).toHaveLength(2);
      for (const line of EXAMPLES)
        expect(read('docs/guides/operating.md')).toContain(`\`${line}\``);
    });

    it('are passed on with their method, query and body', async () => {
      const headers = { 'content-type': 'application/json' };
      const answer = await ask('/acme/cards/7?x=1', {
        method: 'PUT',
        headers,
        body: '{"colour":"red"}',
      });
      expect([answer.status, answer.json()]).toEqual([200, { body: { colour: 'red' } }]);
      const pieces = ['{"colour":', '"red"}'];
      const chunked = await ask('/acme/cards/7', { method: 'PUT', headers, body: pieces });
      expect(chunked.json()).toEqual(answer.json());
      expect((await ask('/acme/cards/7', { method: 'DELETE' })).status).toBe(404);
    });

    it('have the limits of the service, its headers, and none of the site', async () => {
      const body = 'x'.repeat(1_100_000);
      expect((await ask('/acme/cards/7', { method: 'PUT', body })).status).toBe(413);
      const { headers } = await ask('/acme/cards');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).not.toBe('no-cache');
    });

    it('are those that are listed: everything else is the site’s, or 404', async () => {
      expect((await ask('/')).text).toBe(SITE_PAGE);
      for (const path of ['/acme.json', '/elsewhere', '/svc/cardsx', '/svc/', '/.acme']) {
        expect([path, (await ask(path)).status]).toEqual([path, 404]);
      }
      expect((await ask('/svc/auth/me')).status).toBe(200);
    });

    it('503 | an own path | no replica is there', async () => {
      const lonely = await findFreePort();
      const replicas = twice(`127.0.0.1:${lonely}`);
      const options = { replicas, certificate, ownPaths: '/ 1;' };
      const port = await findFreePort();
      const other = await startNginxServer({ address: `127.0.0.1:${port}`, ...options });
      const ca = certificate.certificate;
      const door = await startTlsTunnel({ host: '127.0.0.1', port, ca });
      const answer = await call(door.port, { method: 'GET', path: '/', headers: { host } });
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
      await door.stop();
      await other.stop();
    });

    it.each([
      ['a header', 'proxy_set_header X-Forwarded-Host evil.example;'],
      ['a limit', 'client_max_body_size 100m;\n}\nserver {'],
      ['a location', '} location /cards { proxy_pass http://127.0.0.1:1; }'],
    ])('a list with %s in it does not start', async (_what, list) => {
      await expect(startNginx(list)).rejects.toThrow(/\[emerg\]/);
    });
  },
);
