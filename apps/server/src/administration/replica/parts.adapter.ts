import type { ModulesContainer } from '@nestjs/core';

/** Names of all modules, including those of extensions. */
export const modulesIn = (container: ModulesContainer): string[] => {
  const names = [...container.values()].map(({ metatype }) => metatype.name);
  return [...new Set(names)].toSorted();
};

/** The active implementations of the replaceable classes: implementation by port. */
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

/** Any function may be an injection token, and `instanceof` throws for a function without a prototype. */
const isClass = (token: unknown): token is abstract new (...parameters: never[]) => object =>
  typeof token === 'function' && Object(token.prototype) === token.prototype;
