import { createHash } from 'node:crypto';
import { All, Controller, Module, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AllowedMethods } from '#libs/accounts';
import { pageClient, pageClientTypes } from '#page-scripts';

const KEPT = new Set(['/svc/client.js', '/svc/client.d.ts']);

/** Whether browsers may cache this path, so that they may revalidate it. */
export const isKept = (path: string): boolean => KEPT.has(path);

/** A file as it is sent, made once. */
export interface StaticFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** May be kept, and is asked for by its ETag before it is used again (RFC 9111, section 5.2.2.4). */
export function staticFile(type: string, text: string): StaticFile {
  const body = Buffer.from(text);
  const digest = createHash('sha256').update(body).digest('base64url');
  return {
    body,
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'no-cache',
      ETag: `"${digest}"`,
    },
  };
}

const script = staticFile('text/javascript', pageClient);
const types = staticFile('application/typescript', pageClientTypes);

/** The module that pages of the site import, and its declarations: the same for every visitor. */
@Controller('svc')
export class PageClientController {
  @All('client.js')
  @AllowedMethods(['GET', 'HEAD'])
  script(@Res() response: Response) {
    send(response, script);
  }

  @All('client.d.ts')
  @AllowedMethods(['GET', 'HEAD'])
  types(@Res() response: Response) {
    send(response, types);
  }
}

/** Express answers 304 where the ETag is among those of the request. */
const send = (response: Response, { headers, body }: StaticFile) =>
  void response.set(headers).send(body);

/** `/svc/client.js`, with which pages of the site sign people in and offer tools to their apps. */
@Module({ controllers: [PageClientController] })
export class PageClientModule {}
