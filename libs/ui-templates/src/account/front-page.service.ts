import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { methodNotAllowed } from '#libs/accounts';

/** Redirects `/` to the account page, after all controllers: a controller that serves `/` takes precedence. */
@Injectable()
export class FrontPageService implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost<ExpressAdapter>) {}

  onModuleInit() {
    this.host.httpAdapter.all('/', lead);
  }
}

function lead({ method }: Request, response: Response) {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD']);
  response.status(302).set('Location', '/svc/account').end();
}
