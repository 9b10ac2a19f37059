import { type Gatehouse, startGatehouse } from './gatehouse.js';
import { ADMIN_TOKEN } from './admin-client.js';

export { ADMIN_TOKEN, AdminApi } from './admin-client.js';

/** A service with the administration API. */
export const startAdministered = (
  variables: Readonly<Record<string, string>> = {},
  replicaOf?: Gatehouse,
) => startGatehouse({ MANAGEMENT_PORT: '0', ADMIN_TOKEN, ...variables }, replicaOf);
