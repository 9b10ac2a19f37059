import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { builtInAccountTexts } from '#libs/ui-templates';
import { SECURITY_EVENT_TYPES, type SecurityEventType } from '#libs/accounts';
import { ALARMING_EVENTS } from '../../apps/server/src/observability/metrics/event-metrics.service.js';
import { isAnonymous, isRepeated } from '../../apps/server/src/audit/audit-limits.js';
import { PERSONAL } from '../../apps/server/src/audit/audit-event.entity.js';
import { toOutboxRow } from '../../apps/server/src/audit/audit.store.js';
import { auditRow } from '../../apps/server/src/outbox/outbox.testbed.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

/** Events of clients and hosts, and of deleted accounts: no account's activity shows them. */
const OF_NO_ONE: ReadonlySet<SecurityEventType> = new Set([
  'account-deleted',
  'client-created',
  'client-deleted',
  'client-blocked',
  'client-unblocked',
  'redirect-host-blocked',
  'redirect-host-unblocked',
  'client-secret-rotated',
  'machine-token-issued',
  'invite-created',
  'invite-deleted',
  'event-retried',
  'event-dropped',
]);

/** A row in which every member has a value. */
const FULL = {
  clientId: 'https://app.example/client.json',
  app: 'Notes',
  grantId: 'grant',
  detail: 'call_tab: done',
  facts: JSON.stringify({
    invite: 'invite',
    host: 'app.example',
    event: 'event',
    limit: 0,
    tool: 'call_tab',
    outcome: 'done',
    reason: 'refused',
    kind: 'tool',
    name: 'add_to_cart',
    title: 'Add to cart',
    page: 'shop.example',
    pageTitle: 'Shop',
    approved: 'passkey',
    passkey: true,
    changed: 'paused=true',
  }),
  actor: 'root',
  credits: 7,
  durationMs: 12,
  count: 3,
  lastAt: 1_795_339_800_000,
  network: 'network',
  requestId: 'a81bc81b-dead-4e5d-abff-90865d1e13b1',
};

interface Schema {
  readonly properties: { readonly data: { readonly properties: object } };
}

const documented = new Map(
  read('docs/reference/events.md')
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const [title = ''] = section.split('\n');
      const names = [...section.matchAll(/^- `([a-z-]+)`: ./gm)].map(([, name]) => name);
      return [title, names as SecurityEventType[]] as const;
    }),
);
const names = [...documented.values()].flat();

describe('docs/reference/events.md', () => {
  it('has each type of event once, and no other', () => {
    expect(names.toSorted()).toEqual(SECURITY_EVENT_TYPES.toSorted());
  });

  it('has each event in the section of how the audit trail keeps it', () => {
    const where = (name: SecurityEventType) => {
      if (isAnonymous(name)) return 'What strangers cause';
      return isRepeated(name) ? 'What can be repeated without end' : 'What people do';
    };
    for (const [section, listed] of documented) {
      for (const name of listed) expect([name, where(name)]).toEqual([name, section]);
    }
  });

  it('has the events of alerts in docs/guides/operating.md, which are counted from 0', () => {
    const alerts = read('docs/guides/operating.md').matchAll(/\{type="([a-z-]+)"\}/g);
    const woken = [...alerts].map(([, name]) => name);
    expect(woken.toSorted()).toEqual(ALARMING_EVENTS.toSorted());
    expect(names).toEqual(expect.arrayContaining(woken));
  });

  it('has those that people see of their account in the words of the account page', () => {
    const worded = Object.keys(builtInAccountTexts.fallback.texts.activity.script.types);
    const seen = names.filter(
      (name) => !isAnonymous(name) && !PERSONAL.includes(`'${name}'`) && !OF_NO_ONE.has(name),
    );
    expect(worded).toEqual(expect.arrayContaining(seen));
  });

  it('has the schema of what is delivered, of each type', () => {
    const schema = JSON.parse(read('docs/reference/event.schema.json')) as Schema;
    const ajv = new Ajv2020({ strict: true });
    addFormats.default(ajv);
    const fits = ajv.compile(schema);
    const [least, most] = [auditRow(null, { browser: null, origin: '' }), auditRow('ann', FULL)];
    for (const type of names) {
      for (const row of [least, most]) {
        const { body } = toOutboxRow({ ...row, type });
        expect([type, fits(JSON.parse(body)), fits.errors]).toEqual([type, true, null]);
      }
    }
    expect(fits({ ...JSON.parse(toOutboxRow(least).body), secret: 'x' })).toBe(false);
  });

  it('has a row for each member of the schema', () => {
    const schema = JSON.parse(read('docs/reference/event.schema.json')) as Schema;
    const [, section = ''] = read('docs/reference/events.md').split('\n## Delivered events\n');
    const rows = [...section.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(rows).toEqual(Object.keys(schema.properties.data.properties));
  });

  it('has names that fit their column', () => {
    for (const name of names) expect(name.length).toBeLessThanOrEqual(32);
  });
});
