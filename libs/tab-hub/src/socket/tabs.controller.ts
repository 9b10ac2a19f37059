import type { IncomingMessage } from 'node:http';
import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowedMethods, BrowserSessionsService, RefusalError, type Session } from '#libs/accounts';
import { type Upgrade, upgradeOf } from './upgrades.js';
import { TabSocketsService } from './tab-sockets.service.js';

const PATH = '/svc/me/tabs';
const VERSION = '13';

/** Whether a request is to be answered as the beginning of a tab's connection. */
export const isTabUpgrade = ({ method, url, headers }: IncomingMessage) =>
  method === 'GET' && url?.split('?')[0] === PATH && headers.upgrade?.toLowerCase() === 'websocket';

/** The way into the hub: whoever is signed in is handed over with their connection. */
@Controller()
export class TabsController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly tabs: TabSocketsService,
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

  private accept(request: Request, upgrade: Upgrade, session: Session) {
    if (request.headers['sec-websocket-version'] !== VERSION) {
      const headers = { 'Sec-WebSocket-Version': VERSION };
      throw new RefusalError(400, `the WebSocket version must be ${VERSION}`, headers);
    }
    try {
      this.tabs.accept(request, upgrade, session);
    } catch (error) {
      throw new RefusalError(400, (error as Error).message, {}, { cause: error });
    }
  }
}
