import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { RefusalError } from '#libs/accounts';
import { JSON_RPC_CODES, JsonRpcError } from './json-rpc.error.js';

/** Refusals of the endpoint as JSON-RPC; what no message was found in has no id (JSON-RPC 2.0 §5). */
@Catch(RefusalError)
export class JsonRpcErrorFilter implements ExceptionFilter<RefusalError> {
  catch(error: RefusalError, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.destroy();
    const { message, status, headers } = error;
    const code = error instanceof JsonRpcError ? error.code : JSON_RPC_CODES.other;
    response
      .status(status)
      .set(headers)
      .json({ jsonrpc: '2.0', id: null, error: { code, message } });
  }
}
