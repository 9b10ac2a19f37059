import type { AdapterPayload, Provider } from 'oidc-provider';
import type { NewToken } from '../token/token.store.js';
import { newToken } from './token.adapter.js';
import { UnexpectedLibraryError } from './unexpected-library.error.js';

type Code = InstanceType<Provider['AuthorizationCode']>;

/** A new code as the library would store it, for the caller to store together with its grant. */
export async function prepareCode(code: Code): Promise<NewToken> {
  const saved: AdapterPayload[] = [];
  const adapter = { upsert: async (_id: string, payload: AdapterPayload) => saved.push(payload) };
  const value = await Object.defineProperty(code, 'adapter', { value: adapter }).save();
  const [payload] = saved;
  if (!payload) throw new UnexpectedLibraryError('it stores codes in another way');
  return newToken('AuthorizationCode', value, payload, 0);
}
