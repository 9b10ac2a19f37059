import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { ServiceMac } from '#libs/platform';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { readCookie, setCookie } from './session-cookie.js';

const KEY_NAME = 'return-addresses';

/** Long enough for a sign-in elsewhere, and for a person who reads the page first. */
const LIFETIME_MS = 60 * 60 * 1000;

/** Browsers drop a cookie whose name and value are longer than 4,096 bytes (RFC 6265bis §5.7). */
const MAX_VALUE_LENGTH = 4000;

const cookieName = (secure: boolean) => (secure ? '__Host-return' : 'return');

/** The address of a path here, as a browser reads it; undefined for one that leads elsewhere, such as `//host`. */
export function ownAddress(path: unknown, origin: string): string | undefined {
  const isPath = typeof path === 'string' && path.startsWith('/');
  const url = isPath ? URL.parse(path, origin) : null;
  return url?.origin === origin ? url.href : undefined;
}

/** Remembers the page that a person came from while they sign in elsewhere, in a cookie with a MAC. */
@Injectable()
export class ReturnAddressService {
  private readonly mac: ServiceMac;

  constructor(dataSource: DataSource) {
    this.mac = new ServiceMac(dataSource, KEY_NAME);
  }

  /** Keeps a path of this service for an hour; the last one counts. False for a path that leads elsewhere. */
  async keep(request: Request, response: Response, path: unknown): Promise<boolean> {
    const { origin, secure } = ownOriginOf(request);
    const address = ownAddress(path, origin);
    if (address === undefined) return false;
    const until = Date.now() + LIFETIME_MS;
    const value = `${until}.${Buffer.from(address.slice(origin.length)).toString('base64url')}`;
    const signed = `${value}.${await this.mac.of(origin, value)}`;
    if (signed.length > MAX_VALUE_LENGTH) this.forget(request, response);
    else set(response, setCookie(cookieName(secure), signed, secure, LIFETIME_MS / 1000));
    return true;
  }

  /** The address that was kept, which is then forgotten; undefined without one, or for one that is forged or expired. */
  async take(request: Request, response: Response): Promise<string | undefined> {
    const { origin, secure } = ownOriginOf(request);
    const signed = readCookie(request.headers.cookie, cookieName(secure));
    if (signed === undefined) return undefined;
    this.forget(request, response);
    const [, value = '', until = '', path = '', mac = ''] =
      /^((\d{1,16})\.([\w-]+))\.([\w-]{43})$/.exec(signed) ?? [];
    const isOurs = await this.mac.isOf(mac, origin, value);
    if (!isOurs || Number(until) <= Date.now()) return undefined;
    return ownAddress(Buffer.from(path, 'base64url').toString(), origin);
  }

  private forget(request: Request, response: Response) {
    const { secure } = ownOriginOf(request);
    set(response, setCookie(cookieName(secure), '', secure, 0));
  }
}

const set = (response: Response, cookie: string) => void response.append('Set-Cookie', cookie);
