import { hashSecret } from '#libs/accounts';
import { compareSecret } from '../client/client-authentication.js';

describe('client secret', () => {
  it('is told by its hash', () => {
    expect(compareSecret('s3cret', hashSecret('s3cret'))).toBe(true);
  });

  it.each([
    ['another secret', 's3cret2', hashSecret('s3cret')],
    ['no secret', '', hashSecret('s3cret')],
    ['the hash itself', hashSecret('s3cret'), hashSecret('s3cret')],
    ['a client without a secret', '', ''],
    ['a hash that is none', 's3cret', 's3cret'],
  ])('is not %s', (_what, presented, secretHash) => {
    expect(compareSecret(presented, secretHash)).toBe(false);
  });
});
