/** An account as the rest of the service sees it. */
export interface User {
  /** Its UTF-8 bytes are the passkey user handle (WebAuthn L3 §5.4.3). */
  readonly id: string;
  readonly displayName: string;
}
