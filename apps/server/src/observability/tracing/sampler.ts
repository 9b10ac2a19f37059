import { randomUUID } from 'node:crypto';
import type { Sampling } from '../../config/tracing-config.js';
import type { Trace } from '#libs/trace';

/** What whoever asks may be believed: a trace that another service of ours began. */
type Parent = Pick<Trace, 'id' | 'flags'>;

/** Whether a trace is recorded; without a parent by the id that it gets here. */
export type Sampler = (id: string, parent?: Parent) => boolean;

/** So many digits of hexadecimal are a whole number. */
const DIGITS = 13;

export function samplerOf({ name, ratio }: Sampling): Sampler {
  const isParentBased = name.startsWith('parentbased_');
  const root = rootOf(name.replace('parentbased_', ''), ratio);
  return (id, parent) => (isParentBased && parent ? parent.flags === '01' : root(parent?.id ?? id));
}

/** By the end of an id, which is the random part of it: services of the same ratio record the same traces. */
function rootOf(name: string, ratio: number): (id: string) => boolean {
  if (name === 'always_on') return () => true;
  if (name === 'always_off') return () => false;
  return (id) => Number.parseInt(id.slice(-DIGITS), 16) < ratio * 16 ** DIGITS;
}

export const newTraceId = () => randomUUID().replaceAll('-', '');
