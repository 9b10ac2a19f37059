import { Injectable } from '@nestjs/common';
import { Brackets, DataSource, type EntityManager, IsNull } from 'typeorm';
import { RefusalError } from '../http/refusal.error.js';
import type { Session } from '../session/session.js';
import { lockSession } from '../session/session.entity.js';
import type { User } from '../user/user.js';
import { UsersService } from '../user/user.store.js';
import { CODES_PER_USER, generateRecoveryCode } from './recovery-code.js';
import { insertCodes, RecoveryCodeEntity } from './recovery-code.entity.js';

/** State of a user's own codes; `createdAt` is epoch seconds, null when none were ever created. */
interface RecoveryCodesState {
  readonly left: number;
  readonly createdAt: number | null;
}

/** Recovery codes in the database: a code is returned once, only its hash is stored. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
  ) {}

  /**
   * Creates ten codes, which replace all older ones, used or not, and an administrator's link; of parallel calls
   * the codes of the last one are valid. Throws RefusalError 401 when the session has ended since it was read.
   */
  async replace(session: Session): Promise<string[]> {
    const codes = Array.from({ length: CODES_PER_USER }, generateRecoveryCode);
    const userId = session.user.id;
    await this.dataSource.transaction(async (manager) => {
      const isUser = await this.users.lock(manager, userId);
      if (!isUser || !(await lockSession(manager, session))) throw signInFirst();
      await manager.delete(RecoveryCodeEntity, { userId });
      await insertCodes(manager, userId, codes, null);
    });
    return codes;
  }

  async stateOf(userId: string): Promise<RecoveryCodesState> {
    const own = { userId, expiresAt: IsNull() };
    const codes = await this.dataSource.manager.findBy(RecoveryCodeEntity, own);
    const [code] = codes;
    if (!code) return { left: 0, createdAt: null };
    const left = codes.filter(({ usedAt }) => usedAt === null).length;
    return { left, createdAt: Math.floor(code.createdAt / 1000) };
  }

  /** The owner of a code; undefined when the code is wrong, used or expired. */
  async findOwner(codeHash: string): Promise<User | undefined> {
    const found = await this.dataSource
      .createQueryBuilder(RecoveryCodeEntity, 'code')
      .innerJoinAndSelect('code.user', 'user')
      .where({ codeHash, usedAt: IsNull() })
      .andWhere(hasNotExpired('code.expiresAt'))
      .getOne();
    if (!found) return undefined;
    const { id, displayName } = found.user;
    return { id, displayName };
  }

  /** Uses a code up inside the caller's transaction. Of any number of calls with one code, one gets true. */
  async take(manager: EntityManager, codeHash: string): Promise<boolean> {
    const taken = await manager
      .createQueryBuilder()
      .update(RecoveryCodeEntity)
      .set({ usedAt: Date.now() })
      .where({ codeHash, usedAt: IsNull() })
      .andWhere(hasNotExpired('expires_at'))
      .execute();
    return taken.affected === 1;
  }
}

const hasNotExpired = (column: string) =>
  new Brackets((where) => {
    where.where(`${column} IS NULL`).orWhere(`${column} > :now`, { now: Date.now() });
  });

const signInFirst = () => new RefusalError(401, 'sign in first');
