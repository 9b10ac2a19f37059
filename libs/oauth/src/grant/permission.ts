import { scopeWords } from '../scope.js';
import type { GrantEntity } from './grant.entity.js';

/** What an app may do with a scope: use it, use it where its person says yes to the call, or not use it. */
export type Permission = 'allow' | 'ask' | 'off';

export type GivenScopes = Pick<GrantEntity, 'scope' | 'permissions'>;

/** The permission of each scope that was ever given, in the order of the grant. All other scopes are `off`. */
export function permissionsOf(given: GivenScopes): ReadonlyMap<string, Permission> {
  const { scope, permissions } = given;
  const changed = new Map<string, Permission>(Object.entries(JSON.parse(permissions ?? '{}')));
  return new Map(scopeWords(scope).map((name) => [name, changed.get(name) ?? 'allow']));
}

/** As a grant has them: only those that are not simply allowed. */
export function permissionsText(words: Iterable<readonly [string, Permission]>): string | null {
  const changed = [...words].filter(([, word]) => word !== 'allow');
  return changed.length === 0 ? null : JSON.stringify(Object.fromEntries(changed));
}

/** The scopes that may be used, and those of them whose calls each need a yes; in the order of the grant. */
export function scopesOf(given: GivenScopes) {
  if (given.permissions === null) return { usable: scopeWords(given.scope), ask: [] };
  const words = [...permissionsOf(given)];
  return {
    usable: words.flatMap(([name, word]) => (word === 'off' ? [] : [name])),
    ask: words.flatMap(([name, word]) => (word === 'ask' ? [name] : [])),
  };
}

/** The scopes with `allow` or `ask`: what tokens, token responses and lists name. */
export const usableScopes = (given: GivenScopes): string[] => scopesOf(given).usable;

export type PausedBy = 'person' | 'administrator' | null;

export const pausedBy = ({
  isPausedByPerson,
  isPausedByAdministrator,
}: Pick<GrantEntity, 'isPausedByPerson' | 'isPausedByAdministrator'>): PausedBy =>
  isPausedByAdministrator ? 'administrator' : isPausedByPerson ? 'person' : null;
