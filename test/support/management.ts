import { ManagementListenerService } from '../../apps/server/src/observability/management/management-listener.service.js';
import type { Gatehouse } from './gatehouse.js';
import { type Answer, call } from './http.js';

type Managed = Pick<Gatehouse, 'app'>;

/** The port of the management listener of a service with `MANAGEMENT_PORT`. */
export const managementPortOf = ({ app }: Managed): number =>
  app.get(ManagementListenerService, { strict: false }).port;

/** Sends a request to the management listener. */
export const askManagement = (service: Managed, path: string, method = 'GET'): Promise<Answer> =>
  call(managementPortOf(service), { method, path });
