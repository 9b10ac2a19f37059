import type { IncomingMessage } from 'node:http';
import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowedMethods, BrowserSessionsService, RefusalError, type Session } from '#libs/accounts';
import { type Upgrade, upgradeOf } from './upgrades.js';
import { TabsGateway } from './tabs.gateway.js';

const PATH = '/svc/me/tabs';
const VERSION = '13';

/** Whether a request is to be answered as the beginning of a tab's connection. */
export const isTabUpgrade = ({ method, url, headers }: IncomingMessage) =>
  method === 'GET' && url?.split('?')[0] === PATH && headers.upgrade?.toLowerCase() === 'websocket';

/** The way into the hub: whoever is signed in is handed to the gateway with their connection. */
@Controller()
export class TabsController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly gateway: TabsGateway,
  ) {}

  @All(PATH)
  @AllowedMethods(['GET'])
  async connect(@Req() request: Request, @Res() response: Response) {
    const upgrade = upgradeOf(request);
    const session = await this.sessions.find(request);
    if (!session) {
      throw new RefusalError(
        401,
        upgrade ? 'sign in first' : 'sign in first, over a WebSocket connection',
      );
    }
    if (!upgrade) {
      const connection = response.shouldKeepAlive ? 'Upgrade' : 'Upgrade, close';
      const headers = { Upgrade: 'websocket', Connection: connection };
      throw new RefusalError(426, 'this address takes WebSocket connections only', headers);
    }
    this.accept(request, upgrade, session);
  }

  private accept(request: Request, { socket, head, release }: Upgrade, session: Session) {
    if (request.headers['sec-websocket-version'] !== VERSION) {
      const headers = { 'Sec-WebSocket-Version': VERSION };
      throw new RefusalError(400, `the WebSocket version must be ${VERSION}`, headers);
    }
    const { server } = this.gateway;
    const refuse = (error: Error) => {
      throw new RefusalError(400, error.message, {}, { cause: error });
    };
    server.once('wsClientError', refuse);
    try {
      server.handleUpgrade(request, socket, head, (tab) => {
        release();
        server.emit('connection', tab, session);
      });
    } finally {
      server.off('wsClientError', refuse);
    }
  }
}
