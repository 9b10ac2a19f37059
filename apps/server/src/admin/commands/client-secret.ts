interface Issued {
  readonly id: string;
  readonly secret: string | null;
}

/** The text that shows a client's id and secret; the secret is shown once only. */
export const describeSecret = ({ id, secret }: Issued): string =>
  secret === null
    ? `Client id: ${id}. It is a public client and has no secret.`
    : `Client id: ${id}. Secret, shown this once: ${secret}`;
