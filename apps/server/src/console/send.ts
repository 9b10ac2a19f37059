import type { Response } from 'express';
import type { Page } from '#libs/ui-templates';

export const send = (response: Response, { status, headers, html }: Page) =>
  void response.status(status).set(headers).send(html);
