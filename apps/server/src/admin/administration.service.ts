import { Injectable, type Type } from '@nestjs/common';
import { type ExternalIdentity, RefusalError } from '#libs/accounts';
import type { NewClient, NewMachineClient } from '#libs/oauth';
import { isJsonObject, parseJson } from '#libs/platform';
import { isVisibleName } from '../config/variable-rules.js';
import { BudgetRequest, BudgetsController } from './budgets.controller.js';
import { ClientRequest, ClientsController, MachineClientRequest } from './clients.controller.js';
import { expectDescribed, inputPipe } from './operation/input.js';
import type { Credits } from './operation/values.js';
import { Identity, UsersController } from './users.controller.js';

export interface ClientToCreate {
  /** What people see. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** By default `none`, a public client with PKCE alone. */
  readonly auth?: NewClient['auth'];
}

export interface MachineClientToCreate {
  /** What administrators see. */
  readonly name: string;
  /** The only scopes that its tokens may have. */
  readonly scopes: readonly string[];
  /** As it is listed; `/svc/mcp` by default. */
  readonly resource?: string;
  /** By default `private_key_jwt` with `jwks`, else `client_secret_basic`. */
  readonly auth?: NewMachineClient['auth'];
  /** A JWK set of public keys. */
  readonly jwks?: object;
}

/**
 * Operations of `/admin/` for modules of extensions, which say who acts: `actor`, 1 to 64 visible characters, is who
 * the audit trail names. It does not ask whether that may be: the module does. Parallel calls are decided as over HTTP.
 *
 * Each throws RefusalError with the status and sentence of `/admin/`, and changes nothing then: 400 for an actor or
 * anything else that is not taken, 404 for an id that nothing has.
 */
@Injectable()
export class Administration {
  constructor(
    private readonly users: UsersController,
    private readonly clients: ClientsController,
    private readonly budgets: BudgetsController,
  ) {}

  /** Signs an account out everywhere, and refuses it and its apps until it is enabled. */
  async disableUser(id: string, actor: string) {
    return this.users.disableUser(checkedId(id), checkedActor(actor));
  }

  /** Gives an account its passkeys and apps back; its sessions stay ended. */
  async enableUser(id: string, actor: string) {
    return this.users.enableUser(checkedId(id), checkedActor(actor));
  }

  /** Ends all sessions of an account, and returns how many. */
  async signOutUser(id: string, actor: string) {
    return this.users.signOutUser(checkedId(id), checkedActor(actor));
  }

  /** Links an identity to an account, for one of parallel calls. Throws RefusalError 409 for one that is linked. */
  async linkUser(id: string, identity: ExternalIdentity, actor: string) {
    const checked = await checkedInput(Identity, identity);
    return this.users.linkUser(checkedId(id), checked, checkedActor(actor));
  }

  /** Unlinks it, even the last way to sign in; apps and sessions stay. Throws RefusalError 404 unless it is linked. */
  async unlinkUser(id: string, identity: ExternalIdentity, actor: string) {
    const checked = await checkedInput(Identity, identity);
    return this.users.unlinkUser(checkedId(id), checked, checkedActor(actor));
  }

  /** Makes a client, which stays until it is deleted. Its secret is returned only this once. */
  async createClient(client: ClientToCreate, actor: string) {
    const checked = await checkedInput(ClientRequest, client);
    return this.clients.createClient(checked, checkedActor(actor));
  }

  /** Makes a client that acts for itself. Throws RefusalError 404 without MACHINE_CLIENTS=on. */
  async createMachineClient(client: MachineClientToCreate, actor: string) {
    const checked = await checkedInput(MachineClientRequest, client);
    return this.clients.createMachineClient(checked, checkedActor(actor));
  }

  /** Gives an account a daily limit of its own, or the default again. */
  async setBudget(userId: string, credits: Credits, actor: string) {
    const checked = await checkedInput(BudgetRequest, { credits });
    return this.budgets.setBudget(checkedId(userId), checked, checkedActor(actor));
  }

  /** Forgets what an account used today. */
  async resetBudget(userId: string, actor: string) {
    return this.budgets.resetBudget(checkedId(userId), checkedActor(actor));
  }

  /** As `setBudget`, for a machine client. */
  async setMachineBudget(clientId: string, credits: Credits, actor: string) {
    const checked = await checkedInput(BudgetRequest, { credits });
    return this.budgets.setMachineBudget(checkedId(clientId), checked, checkedActor(actor));
  }

  /** As `resetBudget`, for a machine client. */
  async resetMachineBudget(clientId: string, actor: string) {
    return this.budgets.resetMachineBudget(checkedId(clientId), checkedActor(actor));
  }
}

function checkedActor(actor: unknown): string {
  if (typeof actor === 'string' && isVisibleName(actor)) return actor;
  throw new RefusalError(400, 'actor takes 1 to 64 visible characters');
}

/** Compilers do not hold JavaScript to it, and TypeORM takes undefined for any row. */
function checkedId(id: unknown): string {
  if (typeof id === 'string' && !id.includes('\0')) return id;
  throw new RefusalError(404, 'not found');
}

/** The DTO, as if `given` had come over HTTP. */
async function checkedInput<Dto extends object>(type: Type<Dto>, given: object): Promise<Dto> {
  const body = parseJson(JSON.stringify(given) ?? '');
  if (!isJsonObject(body)) throw new RefusalError(400, 'body must be a JSON object');
  expectDescribed(body, type);
  return (await asBody.transform(body, { type: 'body', metatype: type })) as Dto;
}

const asBody = inputPipe((message) => new RefusalError(400, message));
