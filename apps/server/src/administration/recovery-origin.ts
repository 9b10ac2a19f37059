interface Addresses {
  readonly listen: { readonly port: number };
  readonly publicOrigins?: readonly string[] | undefined;
}

/** The origin that people know the service by, as far as its configuration tells. */
export const recoveryOriginOf = ({ publicOrigins = [], listen }: Addresses): string =>
  publicOrigins[0] ?? `http://localhost:${listen.port}`;
