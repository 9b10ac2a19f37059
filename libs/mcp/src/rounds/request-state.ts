import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type JSONValue, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { canonicalJson } from '#libs/platform';

const LIFETIME_MS = 10 * 60_000;
const MAX_BYTES = 16 * 1024;
const FORM = /^([A-Za-z0-9_-]{1,22000})\.([A-Za-z0-9_-]{43})$/;

/** The call that a state is bound to. */
export interface RoundOwner {
  readonly grantId: string;
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read';
  /** The name of the tool or prompt, or the uri of the resource. */
  readonly name: string;
  readonly input: unknown;
}

interface Envelope {
  readonly state: JSONValue;
  /** In epoch milliseconds. */
  readonly until: number;
}

/**
 * Seals the state that a call keeps for its next round and that the client carries: the client can read it,
 * but can neither change it nor use it for another call.
 * @throws Error for more than 16 KiB of JSON
 */
export function sealState(key: KeyObject, state: JSONValue, owner: RoundOwner): string {
  const envelope: Envelope = { state, until: Date.now() + LIFETIME_MS };
  const bytes = Buffer.from(JSON.stringify(envelope));
  if (bytes.length > MAX_BYTES) throw new Error('a call keeps more than 16 KiB between rounds');
  const body = bytes.toString('base64url');
  return `${body}.${macOf(key, body, owner).toString('base64url')}`;
}

/** @throws ProtocolError -32602 for a state not sealed with this key, for this call, in the last 10 minutes */
export function openState(key: KeyObject, sealed: string, owner: RoundOwner): JSONValue {
  const [, body, mac] = FORM.exec(sealed) ?? [];
  if (body === undefined || mac === undefined) throw refused();
  if (!timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(key, body, owner))) throw refused();
  const { state, until } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Envelope;
  if (until <= Date.now()) throw refused();
  return state;
}

function macOf(key: KeyObject, body: string, { grantId, method, name, input }: RoundOwner): Buffer {
  const call = createHash('sha256')
    .update(canonicalJson([grantId, method, name, input]))
    .digest();
  return createHmac('sha256', key).update(call).update(body).digest();
}

const refused = () =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'this requestState is not of this call, or older than 10 minutes; call again without it',
    { reason: 'invalid_request_state' },
  );
