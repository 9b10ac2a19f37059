interface Issued {
  readonly id: string;
  readonly secret: string | null;
}

/** What is told of a client once: with a secret, never again. */
export const describeSecret = ({ id, secret }: Issued): string =>
  secret === null
    ? `Client id: ${id}. It is a public client and has no secret.`
    : `Client id: ${id}. Secret, shown this once: ${secret}`;
