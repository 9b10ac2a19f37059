interface Action {
  readonly label: string;
  /** The page of what it acts on, below `/console/`. */
  readonly page: string;
  /** Whether that is gone afterwards. */
  readonly ends?: true;
  /** Whether its answer has a secret that is not shown again. */
  readonly isOnce?: true;
  readonly question?: string;
}

const of = (page: string, labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([name, label]): [string, Action] => [name, { label, page }]);

/** The operations that pages offer, by their name. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ...of('accounts', {
    signOutUser: 'Sign out everywhere',
    disableUser: 'Disable account',
    enableUser: 'Enable account',
    revokeRecovery: 'End recovery link',
    setBudget: 'Set daily limit',
    resetBudget: 'Reset today’s use',
    linkUser: 'Link identity',
    unlinkUser: 'Unlink identity',
  }),
  [
    'recoverUser',
    {
      label: 'Make recovery link',
      page: 'accounts',
      isOnce: true,
      question: 'Make a link that lets the person who has it into this account?',
    },
  ],
  [
    'exportUser',
    {
      label: 'Export account',
      page: 'accounts',
      question: 'Save everything that is kept about this account as a file?',
    },
  ],
  ['deleteUser', { label: 'Delete account', page: 'accounts', ends: true }],
  ...of('apps', {
    blockClient: 'Block client',
    unblockClient: 'Unblock client',
    blockRedirectHost: 'Block redirect host',
    unblockRedirectHost: 'Unblock redirect host',
    setMachineBudget: 'Set daily limit',
    resetMachineBudget: 'Reset today’s use',
  }),
  ['createClient', { label: 'New client', page: 'apps', isOnce: true }],
  ['createMachineClient', { label: 'New machine client', page: 'apps', isOnce: true }],
  ['rotateClientSecret', { label: 'Rotate secret', page: 'apps', isOnce: true }],
  ['deleteClient', { label: 'Delete client', page: 'apps', ends: true }],
  ...of('connections', { setApp: 'Restrict or pause' }),
  ['revokeApp', { label: 'Disconnect app', page: 'connections', ends: true }],
  ['createInvite', { label: 'New invite', page: 'invites', isOnce: true }],
  ['deleteInvite', { label: 'Delete invite', page: 'invites', ends: true }],
  ...of('deliveries', { retryOutbox: 'Retry all', retryOutboxEvent: 'Retry delivery' }),
  ['dropOutboxEvent', { label: 'Delete event', page: 'deliveries', ends: true }],
]);

/** Redirect hosts and invites have no page of their own; of these, the list is the page. */
const LISTED = new Set([
  'blockRedirectHost',
  'unblockRedirectHost',
  'createInvite',
  'deleteInvite',
]);

/** Where an action leads back to. Connections are listed by account. */
export function pageAfter(name: string, { page, ends }: Action, id: string | undefined): string {
  if (!ends && !LISTED.has(name) && id !== undefined) {
    return `/console/${page}/${encodeURIComponent(id)}`;
  }
  return `/console/${page === 'connections' ? 'accounts' : page}`;
}
