const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'the host does not answer',
};

const CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without the intermediate certificates of its authority',
};

/** Code and message of an error; each is empty where the error has none. */
export function errorDetails(error: unknown): { readonly code: string; readonly message: string } {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return { code, message };
}

/** Why the host could not be reached, in words; undefined for errors that the network did not cause. */
export const describeNetworkError = (code: string): string | undefined => WORDS[code];

/** The fault of a certificate, in words; undefined for errors that no certificate caused. */
export const describeCertificateError = (code: string): string | undefined =>
  CERTIFICATE[code] ??
  (/^(?:CERT_|UNABLE_TO_)/.test(code) ? `is not trusted (${code})` : undefined);
