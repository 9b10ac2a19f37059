import type { Request } from 'express';

type Trust = (address: string | undefined, hop: number) => boolean;

/**
 * The client address that the trusted edge set: its own single-value header where one is
 * configured, `X-Forwarded-For` otherwise. Undefined when no trusted proxy set one.
 */
export function clientAddressOf(request: Request, edgeHeader?: string): string | undefined {
  if (edgeHeader === undefined) return request.ips[0];
  const trusts = request.app.get('trust proxy fn') as Trust;
  return trusts(request.socket.remoteAddress, 0) ? request.get(edgeHeader) : undefined;
}
