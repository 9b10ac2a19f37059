const source = (path) => `apps/server/src/outbox/${path}`;

export const mutants = [
  {
    name: 'a signature does not hold the id of its event',
    file: source('webhook-signature.ts'),
    find: '`${id}.${timestamp}.${body}`',
    replace: '`.${timestamp}.${body}`',
    project: 'unit',
    specs: source('webhook.adapter.spec'),
  },
  {
    name: 'a redirect counts as taken',
    file: source('webhook.adapter.ts'),
    find: 'statusCode < 300',
    replace: 'statusCode < 400',
    project: 'unit',
    specs: source('webhook.adapter.spec'),
  },
  {
    name: 'why a webhook could not be asked has its address',
    file: source('webhook.adapter.ts'),
    find: 'new DeliveryError(reasonOf(error))',
    replace: 'new DeliveryError(String(error))',
    project: 'unit',
    specs: source('webhook.adapter.spec'),
  },
  {
    name: 'who lost the lease on a queue gives it back for somebody else',
    file: source('outbox-claims.sql.ts'),
    find: 'claim = NULL WHERE id = $1 AND claim = $2`',
    replace: 'claim = NULL WHERE id = $1`',
    project: 'unit',
    specs: source('outbox-claims.spec'),
  },
  {
    name: 'an event goes on behind one that failed',
    file: source('event-delivery.ts'),
    find: 'if (failure !== undefined) return this.giveBack(queue, event, failure);',
    replace: 'if (failure !== undefined) await this.giveBack(queue, event, failure);',
    project: 'unit',
    specs: source('event-delivery.spec'),
  },
  {
    name: 'a webhook is told by plain http',
    file: 'apps/server/src/config/variable-rules.ts',
    find: "url.protocol === 'http:' && isLoopbackHostname(url.hostname)",
    replace: "url.protocol === 'http:'",
    project: 'unit',
    specs: 'apps/server/src/config/events-webhook.spec',
  },
];
