import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowRoutedMethods, BrowserSessionsService, RefusalError } from '#libs/accounts';
import { upgradeOf } from './gateway-adapter.js';
import { TabConnectionsService } from './tab-connections.service.js';
import { TABS_PATH } from './tabs.gateway.js';

/**
 * `GET /svc/me/tabs` (contract: Tab hub). Other methods are 405. Then: session (401), a request for a WebSocket (426),
 * connections of the account (429), its handshake (400). What is accepted goes to `TabsGateway`.
 */
@Controller()
@AllowRoutedMethods()
export class TabsController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly connections: TabConnectionsService,
  ) {}

  @Get(TABS_PATH)
  async connect(@Req() request: Request, @Res() response: Response) {
    const upgrade = upgradeOf(request);
    const session = await this.sessions.find(request);
    if (!session) {
      const how = upgrade ? '' : ', over a WebSocket connection';
      throw new RefusalError(401, `sign in first${how}`);
    }
    if (!upgrade) {
      const connection = response.shouldKeepAlive ? 'Upgrade' : 'Upgrade, close';
      const headers = { Upgrade: 'websocket', Connection: connection };
      throw new RefusalError(426, 'this address takes WebSocket connections only', headers);
    }
    this.connections.count(session.user.id);
    upgrade.accept(request, response, session);
  }
}
