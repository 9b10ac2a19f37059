import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { RefusalError } from '#libs/accounts';

/** Stands in for the application's own filter, which turns outages into 503. */
@Catch()
export class TestbedErrorFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof RefusalError) response.set(error.headers);
    response.status(statusOf(error)).type('text/plain').send(error.message);
  }
}

function statusOf(error: Error) {
  if (error instanceof RefusalError) return error.status;
  return error instanceof HttpException ? error.getStatus() : 503;
}
