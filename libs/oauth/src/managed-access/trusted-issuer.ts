/** An identity provider that may give people access here: an entry of `TRUSTED_ISSUERS_FILE`. */
export interface TrustedIssuer {
  /** As it stands in the `iss` of its assertions and in its metadata. */
  readonly issuer: string;
  /** For people: "managed by <name>". No other issuer has it. */
  readonly name: string;
  /** Where its keys are; found by its metadata when absent. */
  readonly jwksUri?: string | undefined;
  /** The `tenant` of its assertions, for an issuer of several: its subjects are unique within a tenant alone. */
  readonly tenant?: string | undefined;
  /** Ids of the clients that may present its assertions. */
  readonly clients: readonly string[];
  /** The most that it can grant. */
  readonly scopes: readonly string[];
  /** Whether a person who is not linked to an account here is refused or gets a new one. */
  readonly accounts: 'linked' | 'create';
  /** Whether the hosts of `issuer` and `jwksUri` may have private addresses and any port. */
  readonly privateNetwork?: boolean | undefined;
}
