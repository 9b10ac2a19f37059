import { createHash } from 'node:crypto';
import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowRoutedMethods } from '#libs/accounts';
import { pageBridge, pageClient, pageClientTypes } from '#page-scripts';

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

/** The module that pages of the site import, its bridge, and its declarations: the same for every visitor. */
const SENDERS = new Map([
  ['/svc/client.js', sender('text/javascript', pageClient)],
  ['/svc/bridge.js', sender('text/javascript', pageBridge)],
  ['/svc/client.d.ts', sender('application/typescript', pageClientTypes)],
]);

/** Whether browsers may cache this path, so that they may revalidate it. */
export const isKept = (path: string): boolean => SENDERS.has(path);

@Controller()
@AllowRoutedMethods({ also: ['HEAD'] })
class PageClientController {
  @Get([...SENDERS.keys()])
  show(@Req() { path }: Request, @Res() response: Response) {
    SENDERS.get(path)?.(response);
  }
}

/** `/svc/client.js`, with which pages of the site sign people in and offer tools to their apps. */
@Module({ controllers: [PageClientController] })
export class PageClientModule {}
