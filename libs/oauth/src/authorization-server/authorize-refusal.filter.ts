import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { keepReason, RefusalError } from '#libs/accounts';

/**
 * Refusals of the authorization endpoint, in plain text and with the id of the request, by which the
 * log has it; the application puts that id into `X-Request-Id`.
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
