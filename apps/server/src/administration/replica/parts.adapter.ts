import type { ModulesContainer } from '@nestjs/core';

/** Names of all modules, those of a team among them. */
export const modulesIn = (container: ModulesContainer): string[] => {
  const names = [...container.values()].map(({ metatype }) => metatype.name);
  return [...new Set(names)].toSorted();
};

/** What stands behind the classes that something else may stand in for: its class by theirs. */
export function adaptersIn(container: ModulesContainer): Record<string, string> {
  const found = [...container.values()].flatMap(({ providers }) =>
    [...providers.values()].flatMap(({ token, instance }) => adapterOf(token, instance) ?? []),
  );
  return Object.fromEntries(found.toSorted(([one], [other]) => one.localeCompare(other)));
}

function adapterOf(token: unknown, instance: unknown): [[string, string]] | undefined {
  if (!isClass(token) || !(instance instanceof token)) return undefined;
  const { name } = instance.constructor;
  return name === '' || name === token.name ? undefined : [[token.name, name]];
}

/** Any function may be a token, and `instanceof` throws for one that has no instances. */
const isClass = (token: unknown): token is abstract new (...parameters: never[]) => object =>
  typeof token === 'function' && Object(token.prototype) === token.prototype;
