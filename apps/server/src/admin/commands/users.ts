import { type Command, Option } from 'commander';
import { parseOrigin, unshielded } from './arguments.js';
import { done, listed, shown } from './output.js';
import {
  type Administration,
  CommandGroup,
  type CommonOptions,
  type ListOptions,
  type Perform,
} from './task.js';

const IDENTITY_COLUMNS = ['issuer', 'subject', 'createdAt'];
const COLUMNS = ['id', 'displayName', 'createdAt', 'disabledAt'];

interface IdentityOptions extends CommonOptions {
  readonly issuer: string;
  readonly subject: string;
}

interface RecoverOptions extends CommonOptions {
  readonly origin?: string;
  readonly revoke?: true;
}

export function usersCommands(program: Command, perform: Perform): void {
  const users = new CommandGroup(program, perform, 'users', 'accounts');

  users
    .addList(
      'list',
      'accounts, newest first',
      (options: ListOptions & { readonly search?: string }) => ({
        run: async (to) => listed(COLUMNS, await to.users.list(options)),
      }),
    )
    .option('--search <text>', 'with that in their display name, or with that id', unshielded);

  users.addWithId('show', 'one account', (id) => ({
    run: async (to) => shown(await to.users.show(id)),
  }));

  users.addWithId('disable', 'sign an account out, and refuse it and its apps', (id) => ({
    question: async (to) => `Disable ${await nameOf(to, id)}?`,
    run: (to) =>
      done(to.users.disable(id, to.actor), (record) => `Disabled: ${record.displayName}.`),
  }));

  users.addWithId('enable', 'give an account its passkeys and apps back', (id) => ({
    run: (to) => done(to.users.enable(id, to.actor), (record) => `Enabled: ${record.displayName}.`),
  }));

  users.addWithId('sign-out', 'end all sessions of an account', (id) => ({
    question: async (to) => `Sign ${await nameOf(to, id)} out everywhere?`,
    run: (to) =>
      done(
        to.users.signOut(id, to.actor),
        (record) => `Signed out: ${record.endedSessions} sessions ended.`,
      ),
  }));

  users
    .addWithId(
      'recover',
      'make a link that lets a person in once, within 24 hours',
      (id, { origin, revoke }: RecoverOptions) => ({
        run: (to) =>
          revoke
            ? done(to.recovery.revokeLink(id, to.actor), revokedLink)
            : done(to.recovery.createLink(id, origin, to.actor), ({ link }) => link),
      }),
    )
    .option('--origin <origin>', 'where the link leads, such as https://gate.example', parseOrigin)
    .addOption(new Option('--revoke', 'end the link that was made').conflicts('origin'));

  users.addWithId('identities', 'identities at other issuers that are linked to it', (id) => ({
    run: async (to) => listed(IDENTITY_COLUMNS, await to.users.listIdentities(id)),
  }));

  withIdentity(
    users.addWithId(
      'link',
      'link an identity at another issuer to an account',
      (id, { issuer, subject }: IdentityOptions) => ({
        run: (to) =>
          done(
            to.users.link(id, { issuer, subject }, to.actor),
            () => `Linked: ${subject} at ${issuer}.`,
          ),
      }),
    ),
  );

  withIdentity(
    users.addWithId(
      'unlink',
      'take such an identity from an account, which keeps its apps',
      (id, { issuer, subject }: IdentityOptions) => ({
        question: async (to) => `Unlink ${subject} at ${issuer} from ${await nameOf(to, id)}?`,
        run: (to) =>
          done(
            to.users.unlink(id, { issuer, subject }, to.actor),
            () => `Unlinked: ${subject} at ${issuer}.`,
          ),
      }),
    ),
  );

  users.addWithId('delete', 'delete an account and all that belongs to it', (id) => ({
    question: async (to) => `Delete ${await nameOf(to, id)} for ever?`,
    run: (to) => done(to.users.remove(id, to.actor), (record) => `Deleted: ${record.displayName}.`),
  }));
}

const withIdentity = (command: Command) =>
  command
    .requiredOption('--issuer <issuer>', 'as the issuer calls itself, mostly a URL', unshielded)
    .requiredOption('--subject <subject>', 'as the issuer identifies the person', unshielded);

async function nameOf({ users }: Administration, id: string): Promise<string> {
  const { displayName } = await users.show(id);
  return `${displayName} (${id})`;
}

const revokedLink = ({ user, revoked }: { readonly user: string; readonly revoked: boolean }) =>
  revoked ? `Revoked: the recovery link of ${user}.` : `There is no recovery link of ${user}.`;
