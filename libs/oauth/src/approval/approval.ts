import { createHash } from 'node:crypto';
import { canonicalJson, epochSeconds } from '#libs/platform/json';
import type { ApprovalEntity, ApprovalState } from './approval.entity.js';

const MINUTE_MS = 60_000;

/** How long a request is open, how long `once` is good for its call, and how long a no refuses it. */
export const APPROVAL_LIFETIME_MS = 10 * MINUTE_MS;

/** How long a request that has ended can still be seen. */
export const ENDED_KEPT_MS = 60 * MINUTE_MS;

export const MAX_OPEN_OF_CONNECTION = 5;
export const MAX_OPEN_OF_ACCOUNT = 20;

/** Of JSON, in UTF-8. */
const MAX_ARGUMENTS_BYTES = 4 * 1024;

/** A call whose person has to say yes, as a request shows it. */
export interface CallToApprove {
  readonly grantId: string;
  readonly userId: string;
  readonly scope: string;
  /** Of MCP: `tools/call`, `resources/read` or `prompts/get`. */
  readonly method: string;
  /** Of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly title: string;
  /** The page that the call goes to, if it goes to one. */
  readonly page: ApprovalPage | null;
  readonly input: unknown;
  readonly needsPasskey: boolean;
  readonly mayAllowAlways: boolean;
}

export interface ApprovalPage {
  /** The id of its tab. */
  readonly tab: string;
  readonly title: string;
  readonly url: string;
}

/**
 * Equal for calls that differ in the order of members or in how a number is written, and in nothing else. A call that
 * needs a passkey since then is another one: what was allowed without does not allow it.
 */
export function callHashOf({ grantId, method, name, input, needsPasskey }: HashedCall): string {
  const call = canonicalJson([grantId, method, name, input, needsPasskey]);
  return createHash('sha256').update(call).digest('base64url');
}

type HashedCall = Pick<CallToApprove, 'grantId' | 'method' | 'name' | 'input' | 'needsPasskey'>;

/** The arguments as a request keeps them. */
export function shownArguments(input: unknown): Pick<ApprovalEntity, 'arguments' | 'isTruncated'> {
  const text = JSON.stringify(input ?? {}, shownNumber);
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_ARGUMENTS_BYTES) return { arguments: text, isTruncated: false };
  // As in a stream, which leaves out a character whose other bytes are still to come.
  const shown = new TextDecoder().decode(bytes.subarray(0, MAX_ARGUMENTS_BYTES), { stream: true });
  return { arguments: JSON.stringify(shown), isTruncated: true };
}

/** JSON has no number for what `1e999` becomes, and would write null. */
const shownNumber = (_name: string, value: unknown) =>
  value === Infinity || value === -Infinity ? String(value) : value;

/** A request with what its connection says. */
export interface Approval extends Omit<ApprovalEntity, 'grant'> {
  readonly app: string;
  readonly published: string | null;
}

export const isOpen = ({ state }: Pick<Approval, 'state'>) => state === 'open';

/** A request as its person sees it; times are epoch seconds. */
export const toRequest = (approval: Approval) => ({
  id: approval.id,
  connection: approval.grantId,
  app: approval.app,
  published: approval.published,
  kind: approval.kind,
  scope: approval.scope,
  method: approval.method,
  name: approval.name,
  title: approval.title,
  page: approval.page === null ? null : shownPage(JSON.parse(approval.page) as ApprovalPage),
  arguments:
    approval.arguments === null ? null : (JSON.parse(approval.arguments) as object | string),
  truncated: approval.isTruncated,
  passkey: approval.needsPasskey,
  createdAt: epochSeconds(approval.createdAt),
  expiresAt: epochSeconds(approval.expiresAt),
  state: approval.state satisfies ApprovalState,
});

const shownPage = ({ title, url }: ApprovalPage) => ({ title, url });

/** What a passkey signs for: this request of this very call. */
export const subjectOf = ({ id, callHash, tab }: Pick<Approval, 'id' | 'callHash' | 'tab'>) =>
  `request ${id} ${callHash} ${tab ?? ''}`;
