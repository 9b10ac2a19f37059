// The tools of both SDK samples: as many as ours, with inputs and descriptions of about that size.
import { z } from 'zod';

const text = (value) => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

const status = () =>
  text({
    user: { id: 'u', displayName: 'Ann' },
    budget: { used: 0, limit: 1000, resetsAt: '2030-01-01T00:00:00.000Z' },
  });

const USER = z.object({ id: z.string(), displayName: z.string() });
const BUDGET = z.object({ used: z.int(), limit: z.int(), resetsAt: z.string() });
const TAB = z.object({ id: z.string(), title: z.string(), url: z.string() });

/**
 * `[name, configuration, handler]`, as `registerTool` takes them: made for each server, as the samples do, which
 * write the schemas where they register.
 */
export const tools = () => [
  [
    'account_status',
    {
      title: 'Account status',
      description: "Tells the user's name and today's budget in credits: used, limit, reset time.",
      inputSchema: z.object({}),
      outputSchema: z.object({ user: USER, budget: BUDGET.nullable() }),
    },
    status,
  ],
  [
    'list_tabs',
    {
      title: 'Open tabs',
      description: 'Lists the pages that the user has open, the oldest connection first.',
      inputSchema: z.object({}),
      outputSchema: z.object({ tabs: z.array(TAB) }),
    },
    () => text({ tabs: [] }),
  ],
  [
    'send_message',
    {
      title: 'Send a message',
      description: 'Sends JSON to one tab of the user, or to all of them.',
      inputSchema: z.object({ tab: z.string().optional(), body: z.unknown() }),
      outputSchema: z.object({ delivered: z.int() }),
    },
    () => text({ delivered: 0 }),
  ],
  [
    'call_tab',
    {
      title: 'Call a tab',
      description: 'Asks one tab of the user for something and waits for its answer.',
      inputSchema: z.object({
        tab: z.string(),
        method: z.string().max(100),
        params: z.unknown().optional(),
        timeoutMs: z.int().min(1).max(30_000).optional(),
      }),
    },
    () => text({ value: null }),
  ],
  [
    'run_code',
    {
      title: 'Run code',
      description: 'Runs JavaScript in a sandbox and returns what it returns.',
      inputSchema: z.object({
        code: z.string().max(65_536),
        input: z.unknown().optional(),
        timeoutMs: z.int().min(1).max(5_000).optional(),
      }),
    },
    () => text({ value: null, logs: [], creditsUsed: 1 }),
  ],
];
