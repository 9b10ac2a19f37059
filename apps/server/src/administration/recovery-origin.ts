interface Addresses {
  readonly listen: { readonly port: number };
  readonly publicOrigins?: readonly string[] | undefined;
}

/** The service's origin as people know it, as far as the configuration tells. */
export const recoveryOriginOf = ({ publicOrigins = [], listen }: Addresses): string =>
  publicOrigins[0] ?? `http://localhost:${listen.port}`;
