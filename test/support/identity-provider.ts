import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Certificate } from '#libs/platform/testing';

type Claims = Readonly<Record<string, unknown>>;

interface TenantChanges {
  /** Where its metadata is: for OpenID Connect (by default) or RFC 8414. */
  readonly metadata?: 'openid' | 'oauth';
  /** False for metadata and keys that are answered with 503. */
  readonly answers?: boolean;
  /** Members of its metadata in place of its own. */
  readonly more?: Claims;
}

/**
 * An identity provider that is not ours, in another process: it has any number of issuers, publishes their metadata
 * and keys, exchanges tokens (RFC 8693) and signs whatever a test wants. As an ID token it takes
 * `<subject> for <client id>`.
 */
export class IdentityProvider {
  private last = 0;

  private constructor(
    private readonly child: ChildProcess,
    private origin: string,
  ) {}

  /** Starts one with this certificate, for `localhost`. */
  static async start(certificate: Certificate): Promise<IdentityProvider> {
    const path = fileURLToPath(new URL('identity-provider-process.mjs', import.meta.url));
    const child = fork(path, {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    child.setMaxListeners(0);
    const provider = new IdentityProvider(child, '');
    provider.origin = await provider.ask<string>('listen', { ...certificate });
    return provider;
  }

  issuer(tenant: string): string {
    return `${this.origin}/${tenant}`;
  }

  configure(tenant: string, changes: TenantChanges) {
    return this.ask('configure', { tenant, ...changes });
  }

  /** Adds a key, which signs from now on. */
  rotate(tenant: string) {
    return this.ask('rotate', { tenant });
  }

  /** Its public keys, as JWKs. */
  keys(tenant: string) {
    return this.ask<Claims[]>('keys', { tenant });
  }

  /** The paths that were requested, in order. */
  requests(tenant: string) {
    return this.ask<string[]>('requests', { tenant });
  }

  /** An assertion with these claims, signed by the newest key of the issuer or by `key`, in PEM. */
  assertion(tenant: string, claims: Claims, header: Claims = {}, key?: string) {
    return this.ask<string>('assertion', { tenant, claims, header, key });
  }

  async stop() {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }

  private ask<Output = void>(command: string, input: Claims): Promise<Output> {
    const id = (this.last += 1);
    return new Promise((resolve, reject) => {
      const onMessage = (message: { readonly id: number; readonly output: Output }) => {
        if (message.id !== id) return;
        this.child.off('message', onMessage);
        resolve(message.output);
      };
      this.child.on('message', onMessage);
      this.child.send({ id, command, input }, (error) => error && reject(error));
    });
  }
}
