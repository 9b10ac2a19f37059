import type { Scope } from '#libs/oauth';

/** Everything an app can be allowed to do, in the order people see it on the consent page. */
export const scopes: readonly Scope[] = [
  { name: 'account:read', description: 'see your name and daily budget' },
  { name: 'tabs:read', description: 'see which tabs you have open here' },
  { name: 'tabs:write', description: 'send messages to your open tabs' },
  { name: 'code:run', description: 'run code for you, within your daily budget' },
];
