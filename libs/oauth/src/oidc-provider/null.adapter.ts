import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Stores nothing: for models that are not used, such as the library's own sessions and interactions. */
export class NullAdapter implements Adapter {
  async upsert(_id: string, _payload: AdapterPayload, _expiresIn?: number): Promise<void> {}

  async find(_id: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUid(_uid: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUserCode(_userCode: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async consume(_id: string): Promise<void> {}

  async destroy(_id: string): Promise<void> {}

  async revokeByGrantId(_grantId: string): Promise<void> {}
}
