import { Injectable, Module } from '@nestjs/common';
import {
  type AnyMcpCaller,
  type FromSchema,
  inputRequired,
  listRoots,
  type McpCaller,
  McpPrompt,
  McpResource,
  McpTool,
  type ToolRun,
} from '#libs/mcp';
import { eventually } from '#libs/platform/testing';
import type { Extension } from '#server';
import type { Browser } from '../support/browser.js';

/** A request as its person sees it. */
export interface Asked {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly title: string;
  readonly passkey: boolean;
  readonly page: { readonly title: string; readonly url: string } | null;
  readonly arguments: unknown;
  readonly [member: string]: unknown;
}

const SCOPE = 'notes:write';
const INPUT = {
  type: 'object',
  properties: { text: { type: 'string' }, n: { type: 'number' }, of: { type: 'object' } },
  required: ['text'],
} as const;

const described = (name: string) => ({
  name,
  title: `Title of ${name}`,
  description: name,
  scope: SCOPE,
});

/** The texts of the calls that ran, on all replicas of this process. */
export const done: string[] = [];

/** How many texts were made here. */
let texts = 0;

/** A new text, of which screening refuses none: a random one may spell a word. */
export const newText = () => `note ${(texts += 1)}`;

@Injectable()
class NotesTools {
  @McpTool({ ...described('note'), inputSchema: INPUT })
  note({ text }: FromSchema<typeof INPUT>, _caller: McpCaller, { progress }: ToolRun) {
    progress(1_000);
    done.push(text);
    return { text };
  }

  @McpTool({ ...described('publish'), inputSchema: INPUT, confirm: true, callers: 'both' })
  publish({ text }: FromSchema<typeof INPUT>, _caller: AnyMcpCaller) {
    done.push(text);
    return { text };
  }

  @McpTool({ ...described('rounds'), inputSchema: INPUT })
  rounds({ text }: FromSchema<typeof INPUT>, _caller: McpCaller, { requestState }: ToolRun) {
    if (requestState === undefined) return inputRequired({ roots: listRoots() }, 'asked');
    done.push(text);
    return { text };
  }

  @McpResource({ ...described('notes'), uri: 'notes://all', mimeType: 'text/plain' })
  all() {
    return 'all notes';
  }

  @McpPrompt({ ...described('summary'), arguments: [{ name: 'text', description: 'text' }] })
  summary() {
    return 'a summary';
  }
}

@Module({ providers: [NotesTools] })
class NotesModule {}

/** Tools, a resource and a prompt of a team, all with the scope `notes:write`. */
export const notes: Partial<Extension> = {
  modules: () => [NotesModule],
  scopes: [{ name: SCOPE, description: 'write notes', writes: true }],
};

export const REQUESTS = '/svc/me/requests';

export const openRequests = async (of: Browser) =>
  (await of.get(REQUESTS)).json<{ requests: Asked[] }>().requests;

/** The one open request of an account, as soon as it is there. */
export const oneRequest = (of: Browser) =>
  eventually(async () => {
    const requests = await openRequests(of);
    const [request] = requests;
    if (!request || requests.length > 1) throw new Error(`${requests.length} requests are open`);
    return request;
  });

export async function answerRequest(of: Browser, decision: string, id?: string): Promise<void> {
  const { id: asked } = id === undefined ? await oneRequest(of) : { id };
  const answer = await of.post(`${REQUESTS}/${asked}`, { decision });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
}

/** What calls came to that were sent at once; their person refuses those that came after the decision. */
export async function refuseLater<T>(of: Browser, calls: Promise<T>): Promise<T> {
  let isOver = false;
  void calls.finally(() => (isOver = true)).catch(() => undefined);
  await eventually(async () => {
    for (const { id } of isOver ? [] : await openRequests(of)) await answerRequest(of, 'no', id);
    if (!isOver) throw new Error('calls still wait');
  });
  return calls;
}
