import { All, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';
import { pageClient, pageClientTypes } from '#page-scripts';
import { AllowedMethods } from '#libs/accounts';
import { type StaticFile, staticFile } from './static-file.js';

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
