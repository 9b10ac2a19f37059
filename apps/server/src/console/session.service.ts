import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { generateId } from '#libs/accounts';
import { isSameSecret, PreparedStatement, ServiceMac } from '#libs/platform';
import { AdminTokensService } from '../admin/http/admin-tokens.service.js';
import type { AdminToken } from '../config/admin-tokens.js';

const KEY_NAME = 'console';
const IDLE_MS = 30 * 60 * 1000;
const MAX_MS = 8 * 60 * 60 * 1000;

/** A signed-in operator; name and role are those that the token has now. */
export interface ConsoleSession extends Pick<AdminToken, 'name' | 'role'> {
  readonly id: string;
  readonly startedAt: number;
  /** Authenticates the forms of this session. */
  readonly formToken: string;
  /** The cookie that takes the place of the one that was read. */
  readonly cookie: string;
}

const SIGN_OUT = new PreparedStatement<'id' | 'expiresAt'>(
  'sign-out-of-console',
  `INSERT INTO console_sign_outs (id, expires_at)
   VALUES (:id, CAST(:expiresAt AS bigint)) ON CONFLICT DO NOTHING`,
);

const FIND = new PreparedStatement<'id'>(
  'console-sign-out',
  'SELECT id FROM console_sign_outs WHERE id = :id',
);

const COOKIE = /^(([\w-]{16,64})\.([0-9a-f]{64})\.(\d{13})\.(\d{13}))\.([\w-]{43})$/;

/**
 * Sessions of the console, which are their cookies: id, SHA-256 of the token, start and last use, with a MAC. Only
 * what was signed out is stored, so any replica takes a cookie and refuses one that ended on another.
 */
@Injectable()
export class ConsoleSessions {
  private readonly mac: ServiceMac;

  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: AdminTokensService,
  ) {
    this.mac = new ServiceMac(dataSource, KEY_NAME);
  }

  /** The cookie of a new session; undefined where no token has this name and value. */
  async begin(name: string, token: string): Promise<string | undefined> {
    if (this.tokens.find(token)?.name !== name) return undefined;
    const hash = createHash('sha256').update(token).digest('hex');
    const now = Date.now();
    return this.sign(`${generateId()}.${hash}.${now}.${now}`);
  }

  /** Undefined for a cookie that is forged, expired or signed out, or whose token is no longer listed. */
  async read(cookie: string | undefined): Promise<ConsoleSession | undefined> {
    const [, text = '', id = '', hash = '', startedAt, seenAt, mac] =
      COOKIE.exec(cookie ?? '') ?? [];
    if (mac === undefined || !(await this.mac.isOf(mac, 'cookie', text))) return undefined;
    const now = Date.now();
    const [start, seen] = [Number(startedAt), Number(seenAt)];
    if (now >= start + MAX_MS || now >= seen + IDLE_MS) return undefined;
    const token = this.tokens.findByHash(Buffer.from(hash, 'hex'));
    if (!token || (await FIND.run(this.dataSource, { id })).rows.length > 0) return undefined;
    const { name, role } = token;
    const formToken = await this.mac.of('form', id);
    const next = await this.sign(`${id}.${hash}.${start}.${now}`);
    return { id, name, role, startedAt: start, formToken, cookie: next };
  }

  isOwnForm({ formToken }: ConsoleSession, sent: string | null): boolean {
    return isSameSecret(sent ?? '', formToken);
  }

  /** Ends all cookies of the session, on every replica. */
  async end({ id, startedAt }: ConsoleSession): Promise<void> {
    await SIGN_OUT.run(this.dataSource, { id, expiresAt: startedAt + MAX_MS });
  }

  private async sign(text: string) {
    return `${text}.${await this.mac.of('cookie', text)}`;
  }
}
