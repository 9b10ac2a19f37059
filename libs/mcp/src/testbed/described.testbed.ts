/** The options of a tool, resource or prompt that every one of them has. */
export const described = (name: string, scope = 'account:read') => ({
  name,
  title: `The ${name}`,
  description: name,
  scope,
});

/** The options of a tool that takes any object. */
export const toolOf = (name: string, scope?: string) => ({
  ...described(name, scope),
  inputSchema: { type: 'object' } as const,
});
