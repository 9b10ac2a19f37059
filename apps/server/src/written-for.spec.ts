import { readServiceVersion } from './config/service-version.js';
import { expectWrittenForThis, MAJOR_VERSION } from './written-for.js';

describe('what an extension was written for', () => {
  it('is the first number of the version of this package', () => {
    expect(readServiceVersion()).toMatch(new RegExp(`^${MAJOR_VERSION}\\.\\d+\\.\\d+$`));
    expect(() => expectWrittenForThis({ gatehouse: MAJOR_VERSION }, 'x')).not.toThrow();
  });

  it('is refused where it is another one', () => {
    expect(() => expectWrittenForThis({ gatehouse: 0 }, 'acme.js')).toThrow(
      /^acme\.js was written for Gatehouse 0, and this is Gatehouse \d+\.\d+\.\d+: take another version/,
    );
  });

  it.each([undefined, '1', null])('has to be said: %p', (gatehouse) => {
    expect(() => expectWrittenForThis({ gatehouse }, 'acme.js')).toThrow(
      /^acme\.js does not say which Gatehouse it was written for: .* it has gatehouse: \d+$/,
    );
  });
});
