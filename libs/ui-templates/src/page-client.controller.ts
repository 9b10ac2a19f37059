import { createHash } from 'node:crypto';
import { Controller, Get, Module, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AllowRoutedMethods } from '#libs/accounts';
import { pageBridge, pageClient, pageClientTypes } from '#page-scripts';

const KEPT = new Set(['/svc/client.js', '/svc/client.d.ts', '/svc/bridge.js']);

/** Whether browsers may cache this path, so that they may revalidate it. */
export const isKept = (path: string): boolean => KEPT.has(path);

/**
 * Sends a file that browsers may cache but revalidate by its ETag before each use (RFC 9111, section 5.2.2.4).
 * Express answers 304 when the request names the ETag.
 */
function sender(type: string, text: string) {
  const body = Buffer.from(text);
  const digest = createHash('sha256').update(body).digest('base64url');
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-cache',
    ETag: `"${digest}"`,
  };
  return (response: Response) => void response.set(headers).send(body);
}

const sendScript = sender('text/javascript', pageClient);
const sendBridge = sender('text/javascript', pageBridge);
const sendTypes = sender('application/typescript', pageClientTypes);

/** The module that pages of the site import, its declarations, and its bridge: the same for every visitor. */
@Controller('svc')
@AllowRoutedMethods({ also: ['HEAD'] })
class PageClientController {
  @Get('client.js')
  script(@Res() response: Response) {
    sendScript(response);
  }

  @Get('bridge.js')
  bridge(@Res() response: Response) {
    sendBridge(response);
  }

  @Get('client.d.ts')
  types(@Res() response: Response) {
    sendTypes(response);
  }
}

/** `/svc/client.js`, with which pages of the site sign people in and offer tools to their apps. */
@Module({ controllers: [PageClientController] })
export class PageClientModule {}
