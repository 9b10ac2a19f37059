import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { keepReason, RefusalError } from '#libs/accounts';

/**
 * Sends refusals of the authorization endpoint as plain text with the request id, which also stands in
 * the log; the application sets that id as `X-Request-Id`.
 */
@Catch(RefusalError)
export class AuthorizeRefusalFilter implements ExceptionFilter<RefusalError> {
  catch({ status, message, headers }: RefusalError, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.destroy();
    keepReason(response, message);
    const id = response.get('X-Request-Id');
    const told = id === undefined ? message : `${message} (request ${id})`;
    response.status(status).set(headers).type('text/plain').send(told);
  }
}
