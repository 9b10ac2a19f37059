import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { ALG, chooseAlgorithm, type Algorithm } from './algorithm.js';
import { authenticationResponse } from './authentication-response.js';
import { checkCreationOptions } from './creation-options.js';
import { includesId } from './descriptors.js';
import { SECURITY_KEY_DEVICE, SYNCED_DEVICE, type Device } from './device.js';
import { KeyPair } from './key-pair.js';
import type { CreateOverrides, GetOverrides } from './overrides.js';
import { newPasskey, type Passkey } from './passkey.js';
import { registrationResponse } from './registration-response.js';
import { checkRequestOptions } from './request-options.js';
import { effectiveRpId } from './rp-id.js';

/** Unset device members are those of a synced device. */
export interface SoftAuthenticatorOptions extends Partial<Device> {
  /** Default: EdDSA, ES256 and RS256. */
  readonly algorithms?: readonly Algorithm[];
  /** Used for every RS256 passkey, to save the time of generating one. Default: a new pair each. */
  readonly rsaKeyPair?: KeyPair;
  /** Default: true. A real browser refuses passkeys on an IP address. */
  readonly allowIpOrigins?: boolean;
}

export interface CreateRequest {
  /** Default: the first of `pubKeyCredParams` that is supported. */
  readonly alg?: Algorithm;
  readonly overrides?: CreateOverrides;
}

export interface GetRequest {
  /** Default: the newest passkey of the relying party that `allowCredentials` permits. */
  readonly credentialId?: string;
  readonly overrides?: GetOverrides;
}

/**
 * A browser and its authenticator in one, which can produce faulty responses. Without overrides it is as strict as a
 * browser; overrides change what is sent, never what is stored.
 */
export class SoftAuthenticator {
  private readonly device: Device;
  private readonly passkeys = new Map<string, Passkey>();

  constructor(private readonly options: SoftAuthenticatorOptions = {}) {
    this.device = { ...SYNCED_DEVICE, ...options };
  }

  /** A phone or password manager: backed up, its counter always 0. */
  static synced(options: SoftAuthenticatorOptions = {}): SoftAuthenticator {
    return new SoftAuthenticator({ ...SYNCED_DEVICE, ...options });
  }

  /** A security key: never backed up, its counter starts at 0 and is incremented by each `get`. */
  static securityKey(options: SoftAuthenticatorOptions = {}): SoftAuthenticator {
    return new SoftAuthenticator({ ...SECURITY_KEY_DEVICE, ...options });
  }

  /**
   * Registers a passkey and stores it, faulty or not, unless `discard` is set. Throws TypeError for malformed
   * options, and as DOMException SecurityError for a foreign relying party id, NotSupportedError without a usable
   * algorithm, InvalidStateError for an excluded passkey.
   */
  async create(
    options: PublicKeyCredentialCreationOptionsJSON,
    origin: string,
    { alg, overrides = {} }: CreateRequest = {},
  ): Promise<RegistrationResponseJSON> {
    checkCreationOptions(options);
    const rpId = this.rpId(options.rp.id, origin);
    const offered = options.pubKeyCredParams.map((parameters) => parameters.alg);
    const algorithm = chooseAlgorithm(offered, this.options.algorithms ?? Object.values(ALG), alg);
    if (this.list(rpId).some(({ id }) => includesId(options.excludeCredentials, id))) {
      throw new DOMException('The authenticator already has a passkey.', 'InvalidStateError');
    }
    const passkey = newPasskey(rpId, options, this.keyPair(algorithm), overrides);
    const response = registrationResponse(options, origin, passkey, this.device, overrides);
    if (!overrides.discard && !this.passkeys.has(passkey.id)) {
      this.passkeys.set(passkey.id, passkey);
    }
    return response;
  }

  /**
   * Signs in. A counting device increments its counter regardless of overrides. Throws TypeError for malformed
   * options, and as DOMException SecurityError for a foreign relying party id, NotAllowedError without a passkey.
   */
  async get(
    options: PublicKeyCredentialRequestOptionsJSON,
    origin: string,
    { credentialId, overrides = {} }: GetRequest = {},
  ): Promise<AuthenticationResponseJSON> {
    checkRequestOptions(options);
    const { allowCredentials = [] } = options;
    const found = this.list(this.rpId(options.rpId, origin))
      .filter(({ id }) => allowCredentials.length === 0 || includesId(allowCredentials, id))
      .findLast(({ id }) => credentialId === undefined || id === credentialId);
    if (!found) throw new DOMException('There is no such passkey.', 'NotAllowedError');
    const passkey = { ...found, counter: found.counter + (this.device.countsUses ? 1 : 0) };
    const response = authenticationResponse(options, origin, passkey, this.device, overrides);
    this.passkeys.set(passkey.id, passkey);
    return response;
  }

  /** A copy with the same passkeys, whose counters are independent from now on. */
  clone(): SoftAuthenticator {
    const copy = new SoftAuthenticator(this.options);
    for (const [id, passkey] of this.passkeys) copy.passkeys.set(id, passkey);
    return copy;
  }

  /** The passkeys of a relying party, oldest first. */
  list(rpId: string): Passkey[] {
    return [...this.passkeys.values()].filter((passkey) => passkey.rpId === rpId);
  }

  /** Returns whether such a passkey existed. */
  forget(id: string): boolean {
    return this.passkeys.delete(id);
  }

  private rpId(asked: string | undefined, origin: string): string {
    return effectiveRpId(asked, origin, this.options.allowIpOrigins ?? true);
  }

  private keyPair(algorithm: Algorithm): KeyPair {
    const { rsaKeyPair } = this.options;
    return algorithm === ALG.RS256 && rsaKeyPair ? rsaKeyPair : KeyPair.generate(algorithm);
  }
}
