import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { type AdminToken, readAdminTokens } from '../../config/admin-tokens.js';
import { ADMIN_API_OPTIONS, type AdminApiOptions } from '../admin-api.module-definition.js';

const READ_EVERY_MS = 30_000;

/** The tokens of ADMIN_TOKEN and ADMIN_TOKENS_FILE; the file is reloaded every 30 seconds. */
@Injectable()
export class AdminTokensService {
  private readonly logger = new Logger('Administration');
  private tokens: readonly AdminToken[] = [];
  private fault: string | undefined;

  constructor(@Inject(ADMIN_API_OPTIONS) private readonly options: AdminApiOptions) {
    this.read();
    if (this.fault !== undefined) throw new Error(this.fault);
  }

  /** Finds a token in constant time; undefined for an unknown one. */
  find(token: string): AdminToken | undefined {
    return this.findByHash(createHash('sha256').update(token).digest());
  }

  findByHash(hash: Buffer): AdminToken | undefined {
    const isHash = (hex: string) => timingSafeEqual(Buffer.from(hex, 'hex'), hash);
    let found: AdminToken | undefined;
    for (const each of this.tokens) if (each.sha256.map(isHash).includes(true)) found = each;
    return found;
  }

  /** While the file is invalid, its last valid content counts. */
  @Interval('admin-tokens', READ_EVERY_MS)
  read() {
    const { tokens, faults } = readAdminTokens(this.options);
    const [fault] = faults;
    if (fault === undefined) this.tokens = tokens;
    else if (fault !== this.fault) this.logger.error(`${fault}; older tokens stay`);
    this.fault = fault;
  }
}
