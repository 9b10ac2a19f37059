import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { FrameError } from '../protocol/frame.error.js';
import { hubFrame } from '../protocol/hub-frame.js';
import { UnknownTabError } from '../protocol/tab-call.error.js';
import { TabConnectionsService } from './tab-connections.service.js';
import type { TabSocket } from './tab-socket.js';

/** A refused frame is answered with `error`; what else goes wrong ends the connection. */
@Catch()
export class FrameErrorFilter implements ExceptionFilter {
  constructor(private readonly connections: TabConnectionsService) {}

  catch(error: unknown, host: ArgumentsHost) {
    const socket = host.switchToWs().getClient<TabSocket>();
    if (error instanceof FrameError) refuseFrame(socket, error);
    else if (error instanceof UnknownTabError) {
      refuseFrame(socket, new FrameError('unknown_tab', error.message));
    } else this.connections.fail(socket, error);
  }
}

export const refuseFrame = (socket: TabSocket, { code, message }: FrameError) =>
  socket.write(hubFrame('error', { code, message }));
