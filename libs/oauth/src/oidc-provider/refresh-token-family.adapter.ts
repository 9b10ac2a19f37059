import { Provider } from 'oidc-provider';
import { successorOf } from '../grants/refresh-token-family.js';
import { expectMethod, replaceMethods } from './replace-methods.js';

/** Not in the library's types: what makes the value of a token that is about to be saved. */
interface TokenModel {
  generateTokenId(): string;
}

/**
 * Lets a refresh token that takes the place of another one begin like it. Throws UnexpectedLibraryError
 * when the library makes its tokens in another way.
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
