import { Provider } from 'oidc-provider';
import { successorOf } from '../token/refresh-token.js';
import { expectMethod, replaceMethods } from './replace-methods.js';

/** Generates the value of a token before it is saved; not in the library's types. */
interface TokenModel {
  generateTokenId(): string;
}

/**
 * Makes a rotated refresh token begin with the family of the one it replaces. Throws UnexpectedLibraryError
 * when the library generates its tokens in another way.
 */
export function keepRefreshTokensInFamily(provider: Provider): void {
  const model = provider.RefreshToken.prototype as unknown as TokenModel;
  expectMethod(model, 'generateTokenId', 0);
  const { generateTokenId } = model;
  replaceMethods(model, {
    generateTokenId() {
      const random = generateTokenId.call(this);
      const presented = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
      return presented === undefined ? random : successorOf(presented, random);
    },
  });
}
