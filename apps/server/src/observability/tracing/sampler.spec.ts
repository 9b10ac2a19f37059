import { randomUUID } from 'node:crypto';
import { traceIdOf } from '#libs/trace';
import { newTraceId, samplerOf } from './sampler.js';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SAMPLED = { id: ID, flags: '01' };
const LEFT_OUT = { id: ID, flags: '00' };

describe('what is recorded', () => {
  it.each([
    ['always_on', [true, true, true]],
    ['always_off', [false, false, false]],
    ['parentbased_always_on', [true, true, false]],
    ['parentbased_always_off', [false, true, false]],
  ] as const)('by %s: alone, below a recorded one, below another', (name, expected) => {
    const sampler = samplerOf({ name, ratio: 1 });
    expect([sampler(ID), sampler(ID, SAMPLED), sampler(ID, LEFT_OUT)]).toEqual(expected);
  });

  it.each([
    ['ids of requests', () => traceIdOf(randomUUID()) ?? ''],
    ['ids of its own', newTraceId],
  ])('by ratio: as many of %s', (_whose, newId) => {
    const sampler = samplerOf({ name: 'traceidratio', ratio: 0.25 });
    const recorded = Array.from({ length: 4000 }, newId).filter((id) => sampler(id));
    expect(recorded.length / 4000).toBeCloseTo(0.25, 1);
  });

  it('by ratio: all or none at its ends, and the same for the same trace', () => {
    const ids = Array.from({ length: 100 }, newTraceId);
    const by = (ratio: number) => samplerOf({ name: 'parentbased_traceidratio', ratio });
    expect(ids.filter((id) => by(1)(id))).toHaveLength(100);
    expect(ids.filter((id) => by(0)(id))).toHaveLength(0);
    expect(ids.map((id) => by(0.5)(id))).toEqual(ids.map((id) => by(0.5)(id)));
  });
});
