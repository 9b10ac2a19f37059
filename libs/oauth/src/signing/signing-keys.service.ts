import { createPublicKey, type KeyObject } from 'node:crypto';
import { Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { epochSeconds } from '#libs/platform';
import {
  publishedAt,
  signerAt,
  SIGNING_ALGORITHMS,
  type SigningKey,
  type SigningOptions,
  signingKeysText,
} from './signing-key.js';

const READ_EVERY_MS = 60_000;

/** The `typ` of access tokens that are JWTs (RFC 9068 §2.1). */
const ACCESS_TOKEN_TYPE = 'at+jwt';

/** The keys that sign access tokens; they are read again every minute, so that a rotation takes no restart. */
export class SigningKeysService implements OnModuleInit {
  private readonly logger = new Logger('Signing keys');
  private keys: readonly SigningKey[] = [];
  private fault: string | undefined;

  constructor(private readonly options: SigningOptions) {}

  onModuleInit() {
    this.read();
    if (this.fault !== undefined) throw new Error(this.fault);
  }

  /** The key that signs now, the same object while it does; undefined where none are configured. */
  signer(): SigningKey | undefined {
    return signerAt(this.keys, epochSeconds(Date.now()));
  }

  /** The keys whose signatures are good now; empty where none are configured. */
  published(): readonly SigningKey[] {
    return publishedAt(this.keys, epochSeconds(Date.now()));
  }

  /** Whether the header of a JWT names one of the published keys; it may be a forged one. */
  areNamedBy(jwt: string): boolean {
    try {
      const { kid, alg } = decodeProtectedHeader(jwt);
      return this.published().some((key) => key.kid === kid && key.alg === alg);
    } catch (error) {
      if (error instanceof TypeError) return false;
      throw error;
    }
  }

  /**
   * Whether a text is an access token (RFC 9068 §4) that one of the published keys signed, that is for this issuer and
   * audience and has not expired. The key is chosen by `kid` and says which algorithm is good (RFC 8725 §3.1).
   */
  async verifies(
    token: string,
    target: { readonly issuer: string; readonly audience: string },
  ): Promise<boolean> {
    const algorithms = [...SIGNING_ALGORITHMS];
    try {
      await jwtVerify(token, (header) => this.verifierOf(header), {
        ...target,
        algorithms,
        typ: ACCESS_TOKEN_TYPE,
        requiredClaims: ['exp'],
      });
      return true;
    } catch (error) {
      if (error instanceof errors.JOSEError) return false;
      throw error;
    }
  }

  private verifierOf({ kid, alg }: { readonly kid?: string; readonly alg?: string }): KeyObject {
    const signing = this.published().find((key) => key.kid === kid && key.alg === alg);
    if (!signing) throw new errors.JWKSNoMatchingKey();
    return createPublicKey(signing.key);
  }

  /** While the keys cannot be read, and while they are the same, those that were read last count. */
  @Interval('signing-keys', READ_EVERY_MS)
  read() {
    const { keys = this.keys, fault } = this.options.readSigningKeys?.() ?? {};
    if (fault !== undefined && fault !== this.fault) {
      this.logger.error(`${fault}; the keys that were read before stay`);
    }
    this.fault = fault;
    if (signingKeysText(keys) === signingKeysText(this.keys)) return;
    this.logger.log(`the keys are ${keys.map(({ kid }) => kid).join(' ')}`);
    this.keys = keys;
  }
}
