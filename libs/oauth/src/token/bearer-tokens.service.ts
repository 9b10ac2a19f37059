import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { hashSecret } from '#libs/accounts';
import { epochSeconds, OutageLog, roomAsNeeded, type TurnHolder } from '#libs/platform';
import { GrantStore } from '../grant/grant.store.js';
import { MachineTokenStore } from '../machine/machine-token.store.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import {
  type Access,
  accountOf,
  type StoredAccessToken,
  type TokenTarget,
  type ValidToken,
} from './token.js';
import { TokenStore } from './token.store.js';

const MAX_REMEMBERED = 10_000;

/** Checks the access tokens that requests present as bearers. `TokenService` issues them. */
@Injectable()
export class BearerTokensService {
  /** Of tokens that were valid lately, by the hash. */
  private readonly holders = new LRUCache<string, TurnHolder>(roomAsNeeded(MAX_REMEMBERED));
  private readonly outage = new OutageLog(new Logger(BearerTokensService.name));

  constructor(
    private readonly tokens: TokenStore,
    private readonly grants: GrantStore,
    private readonly machines: MachineTokenStore,
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'machineClients'>,
  ) {}

  /** An access token that is valid for a resource. Its first use is recorded, and valid if that write fails. */
  async find(token: string, target: TokenTarget): Promise<ValidToken | undefined> {
    const found = await this.lookUp(token, target);
    if (!found) return undefined;
    const name = hashSecret(token);
    if (!this.holders.has(name)) {
      const { grantId: id = found.grant.clientId } = found.grant;
      this.holders.set(name, { by: 'app', id, account: accountOf(found.grant) });
    }
    return found;
  }

  /** Whose requests those with a token count as before it is looked up: the app's, or else the token's own. */
  holderOf(token: string): TurnHolder {
    const id = hashSecret(token);
    return this.holders.get(id) ?? { by: 'app', id, account: id };
  }

  private async lookUp(token: string, target: TokenTarget): Promise<ValidToken | undefined> {
    const found = await this.tokens.findAccessToken(token);
    if (!found) return this.findMachine(token, target);
    const now = Date.now();
    if (found.expiresAt <= now || found.grant.endsAt <= now) return undefined;
    if (found.issuer !== target.issuer || found.grant.audience !== target.audience)
      return undefined;
    if (found.generation > found.deliveredGeneration) await this.confirmDelivery(found);
    return found;
  }

  /** Whether what a token granted still counts: its grant, or its machine client. */
  async isUsable({ grantId, clientId }: Access): Promise<boolean> {
    return grantId === undefined
      ? this.machines.isClientUsable(clientId)
      : this.grants.isUsable(grantId);
  }

  /** As what a token granted is allowed now, also where the token has expired since; undefined when it has ended. */
  async lookAgain(access: Access): Promise<Access | undefined> {
    if (access.grantId !== undefined) return this.tokens.findAccess(access);
    return (await this.isUsable(access)) ? access : undefined;
  }

  private async findMachine(token: string, { issuer, audience }: TokenTarget) {
    const found = this.options.machineClients ? await this.machines.find(token) : undefined;
    if (!found || found.expiresAt <= Date.now()) return undefined;
    if (found.origin !== issuer || found.resource !== audience) return undefined;
    const { clientId, app, scopes, createdAt, expiresAt } = found;
    // A call may outlast its token, as calls of people do; it ends with the client.
    const grant = { clientId, app, audience, scopes, endsAt: Infinity };
    return { issuedAt: epochSeconds(createdAt), expiresAt, grant };
  }

  private async confirmDelivery({ grant, generation }: StoredAccessToken): Promise<void> {
    await this.outage.watch(
      () => this.grants.confirmDelivery(grant.grantId, generation),
      'first uses of access tokens are not recorded',
      'first uses of access tokens are recorded again',
    );
  }
}
