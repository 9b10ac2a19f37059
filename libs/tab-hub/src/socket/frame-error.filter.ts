import { type ArgumentsHost, Catch, type WsExceptionFilter } from '@nestjs/common';
import { FrameError } from '../protocol/frame.error.js';
import { UnknownTabError } from '../protocol/tab-call.error.js';
import { TabConnectionsService } from './tab-connections.service.js';
import type { TabSocket } from './tab-socket.js';

/** Answers a refused frame with `error`; whatever else goes wrong ends the tab's connection. */
@Catch()
export class FrameErrorFilter implements WsExceptionFilter {
  constructor(private readonly connections: TabConnectionsService) {}

  catch(error: unknown, host: ArgumentsHost) {
    const tab = host.switchToWs().getClient<TabSocket>();
    if (error instanceof FrameError) tab.refuse(error);
    else if (error instanceof UnknownTabError) {
      tab.refuse(new FrameError('unknown_tab', error.message));
    } else this.connections.fail(tab, error);
  }
}
