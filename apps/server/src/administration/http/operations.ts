import { openApiOf } from './open-api.js';
import { type Operation, operation } from './operation.js';
import { appOperations } from './routes/apps.js';
import { auditOperations } from './routes/audit.js';
import { blockOperations } from './routes/blocks.js';
import { budgetOperations } from './routes/budgets.js';
import { clientOperations } from './routes/clients.js';
import { eventOperations } from './routes/events.js';
import { inviteOperations } from './routes/invites.js';
import { replicaOperations } from './routes/replica.js';
import { userOperations } from './routes/users.js';

/** Everything that can be done over HTTP. */
export const OPERATIONS: readonly Operation[] = [
  ...userOperations,
  ...clientOperations,
  ...blockOperations,
  ...appOperations,
  ...inviteOperations,
  ...budgetOperations,
  ...auditOperations,
  ...eventOperations,
  ...replicaOperations,
  operation({
    method: 'GET',
    path: '/admin/openapi.json',
    id: 'describe',
    summary: 'This document',
    answer: { type: 'object' },
    run: async () => openApiOf(OPERATIONS),
  }),
];
