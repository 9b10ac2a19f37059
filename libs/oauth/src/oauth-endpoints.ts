import type { IncomingMessage } from 'node:http';
import {
  applyDecorators,
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  NotFoundException,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';
import {
  AllowRoutedMethods,
  ErrorFormat,
  setLogReason,
  readBytes,
  RefusalError,
  VisitorGuard,
} from '#libs/accounts';
import { OAuthError } from './oauth-error.js';

export const OAUTH_PATHS = {
  authorize: '/svc/oauth/authorize',
  token: '/svc/oauth/token',
  register: '/svc/oauth/register',
  revoke: '/svc/oauth/revoke',
  introspect: '/svc/introspect',
  jwks: '/svc/jwks',
} as const;

/** Keeps only printable ASCII without double quotes and backslashes (RFC 6749 §5.2). */
const errorDescription = (text: string) =>
  text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');

/** Sends refusals of the token, registration and revocation endpoints in the form of RFC 6749 §5.2. */
@Catch(OAuthError)
export class OAuthErrorFilter implements ExceptionFilter<OAuthError> {
  catch({ status, error, message, detail, headers }: OAuthError, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    setLogReason(response, `${error}: ${detail}`);
    response
      .status(status)
      .set({ ...headers, Pragma: 'no-cache' })
      .json({ error, error_description: errorDescription(message) });
  }
}

/** RFC 6749 §5.2 and §4.1.2.1, RFC 6750 §3.1. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  405: 'invalid_request',
  503: 'temporarily_unavailable',
};

/** A failure that is no OAuthError in the form of RFC 6749 §5.2; undefined, for plain text, where it has no code. */
export function oauthErrorBody({ status, message }: { status: number; message: string }) {
  const error = CODES[status] ?? (status < 500 ? undefined : 'server_error');
  return error === undefined ? undefined : { error, error_description: message };
}

/** A controller whose failures have the form of RFC 6749 §5.2, behind the visitor limit (429) and the method (405). */
export const OAuthController = () =>
  applyDecorators(
    Controller(),
    UseGuards(VisitorGuard),
    UseFilters(OAuthErrorFilter),
    AllowRoutedMethods(),
    ErrorFormat({ bodyOf: oauthErrorBody }),
  );

/** Far more than any client sends, and small enough for the library after it is encoded again. */
const MAX_FORM_BYTES = 16_384;

/** As many as a query may have. */
const MAX_PARAMETERS = 64;

/** Reads a form. Throws RefusalError 400 for another type or too many parameters, and 413 beyond 16 KiB. */
export async function readForm(
  request: IncomingMessage,
  maxParameters = Infinity,
): Promise<URLSearchParams> {
  const [type] = (request.headers['content-type'] ?? '').split(';');
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    request.resume();
    throw new RefusalError(
      400,
      'the body has to be application/x-www-form-urlencoded; parameters belong into the form-encoded body',
    );
  }
  const bytes = await readBytes(request, MAX_FORM_BYTES, request.headers['content-length']);
  const text = bytes.toString('utf8');
  // Counted before they are parsed, which takes 3 ms for 8,192 of them.
  if (text.split('&').filter(Boolean).length > maxParameters) {
    throw new RefusalError(400, 'the body has too many parameters');
  }
  return new URLSearchParams(text);
}

/** Like readForm, of at most 64 parameters, with refusals as errors of RFC 6749 §5.2. */
export async function readOAuthForm(request: IncomingMessage): Promise<URLSearchParams> {
  try {
    return await readForm(request, MAX_PARAMETERS);
  } catch (error) {
    if (!(error instanceof RefusalError) || error.status >= 500) throw error;
    throw new OAuthError(error.status, 'invalid_request', error.message);
  }
}

/** Refuses everything as unknown, after the guards that stand before it. */
const nothingHere: CanActivate = {
  canActivate() {
    throw new NotFoundException();
  },
};

/** Counts requests to unknown paths below `/svc/oauth/` too; has to come after the controllers of known ones. */
@Controller()
@AllowRoutedMethods()
@UseGuards(VisitorGuard, nothingHere)
export class UnknownPathController {
  @Get('svc/oauth/{*rest}')
  unknown() {}
}
