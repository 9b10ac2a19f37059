import { ManagementListenerService } from '../../apps/server/src/observability/management/management-listener.service.js';
import type { Gatehouse } from './gatehouse.js';
import { type Answer, call } from './http.js';

type Managed = Pick<Gatehouse, 'app'>;

/** Where the management listener of a service with `MANAGEMENT_PORT` listens. */
export const managementPortOf = ({ app }: Managed): number =>
  app.get(ManagementListenerService, { strict: false }).port;

/** Asks it. */
export const askManagement = (service: Managed, path: string, method = 'GET'): Promise<Answer> =>
  call(managementPortOf(service), { method, path });
