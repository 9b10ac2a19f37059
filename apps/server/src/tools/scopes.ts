import type { Scope } from '#libs/oauth';

/** Everything an app can be allowed to do, in the order people see it on the consent page. */
export const scopes: readonly Scope[] = [
  { name: 'account:read', description: 'see your name and daily budget' },
  { name: 'tabs:read', description: 'see your open pages: title and address' },
  { name: 'tabs:write', description: 'use the tools of your open pages and send them messages' },
  { name: 'code:run', description: 'run code for you, within your daily budget' },
];
