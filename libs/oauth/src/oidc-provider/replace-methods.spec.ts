import { Provider } from 'oidc-provider';
import { NullAdapter } from './null.adapter.js';
import { applyClientRules } from './provider-clients.adapter.js';
import { providerConfiguration } from './provider-configuration.adapter.js';
import { replaceMethods } from './replace-methods.js';

const origin = 'http://localhost:3000';
const library = () =>
  new Provider(
    origin,
    providerConfiguration({ origin, scopes: [], adapter: () => new NullAdapter() } as never),
  );

describe('replacing methods of the library', () => {
  const prototype = () => ({ name: 'ours', greet: (who: string) => `Hello ${who}` });

  it('puts ours in the place of those that are there', () => {
    const replaced = prototype();
    replaceMethods(replaced, {
      greet(who) {
        return `${this.name}: ${who}`;
      },
    });
    expect(replaced.greet('Ann')).toBe('ours: Ann');
  });

  it.each<[string, object, string]>([
    ['is missing', { name: 'ours' }, 'there is no greet()'],
    ['takes more', { greet: (a: string, b: string) => a + b }, '2 parameters instead of 1'],
    ['takes less', { greet: () => 'Hello' }, '0 parameters instead of 1'],
  ])('throws when one %s, and replaces nothing', (_what, theirs, difference) => {
    const before = { ...theirs };
    const replacing = () =>
      replaceMethods(theirs as ReturnType<typeof prototype>, {
        greet: (who) => who,
      });
    expect(replacing).toThrow(expect.objectContaining({ code: 'UNEXPECTED_OIDC_PROVIDER' }));
    expect(replacing).toThrow(difference);
    expect(theirs).toEqual(before);
  });

  it.each([
    ['redirectUriAllowed', 'there is no redirectUriAllowed()'],
    ['compareClientSecret', 'there is no compareClientSecret()'],
  ])('a library without %s is not accepted', (name, difference) => {
    const provider = library();
    Reflect.deleteProperty(provider.Client.prototype, name);
    expect(() => applyClientRules(provider, [])).toThrow(difference);
  });

  it('a library without the schema of clients is not accepted', () => {
    const provider = library();
    Object.defineProperty(provider.Client, 'Schema', { value: undefined });
    expect(() => applyClientRules(provider, [])).toThrow('there is no Client.Schema');
  });
});
