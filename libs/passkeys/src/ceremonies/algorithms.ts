/**
 * COSE identifiers of the accepted public-key algorithms, in the order they are offered: EdDSA, ES256, RS256.
 * Always passed explicitly: the library's default depends on the runtime.
 */
export const ACCEPTED_ALGORITHMS = [-8, -7, -257];
