import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { keepReason, RefusalError } from '#libs/accounts';
import { JSON_RPC_CODES, JsonRpcError } from './json-rpc.error.js';
import { shortError } from './short-errors.js';

/** Sends refusals of the endpoint as JSON-RPC errors; the id is null when no message was read (JSON-RPC 2.0 §5). */
@Catch(RefusalError)
export class JsonRpcErrorFilter implements ExceptionFilter<RefusalError> {
  catch(error: RefusalError, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.destroy();
    const { message, status, headers } = error;
    const { code, data, id } =
      error instanceof JsonRpcError
        ? error
        : { code: JSON_RPC_CODES.other, data: undefined, id: null };
    keepReason(response, message);
    response
      .status(status)
      .set(headers)
      .json({ jsonrpc: '2.0', id, error: shortError({ code, message, data }) });
  }
}
