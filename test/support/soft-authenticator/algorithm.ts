/** COSE algorithm identifiers (RFC 9053, RFC 8812) this authenticator can sign with. */
export const ALG = { EdDSA: -8, ES256: -7, RS256: -257 } as const;

export type Algorithm = (typeof ALG)[keyof typeof ALG];

/** The algorithms that a browser offers when `pubKeyCredParams` is empty (WebAuthn L3 §5.1.3). */
const BROWSER_DEFAULTS: readonly number[] = [ALG.ES256, ALG.RS256];

/** The wanted algorithm, else the first offered one that is supported. Throws NotSupportedError. */
export function chooseAlgorithm(
  offered: readonly number[],
  supported: readonly Algorithm[],
  wanted?: Algorithm,
): Algorithm {
  for (const offer of offered.length > 0 ? offered : BROWSER_DEFAULTS) {
    const match = supported.find((algorithm) => algorithm === offer);
    if (match !== undefined && (wanted === undefined || wanted === match)) return match;
  }
  const asked = wanted === undefined ? '' : ` (wanted: ${wanted})`;
  throw new DOMException(`no usable algorithm in [${offered.join()}]${asked}`, 'NotSupportedError');
}
