import { Logger } from '@nestjs/common';
import { type SecurityEvent, SecurityEventsService } from './security-event.service.js';

const event: SecurityEvent = { type: 'sign-out', userId: 'ann', origin: 'https://gate.example' };

describe('security events', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('reach every listener, whatever another one does', () => {
    const events = new SecurityEventsService();
    const heard: SecurityEvent[] = [];
    events.listen(() => {
      throw new Error('out of order');
    });
    events.listen((one) => heard.push(one));
    events.emit(event);
    expect(heard).toEqual([event]);
  });

  it.each<[Partial<SecurityEvent>, SecurityEvent['facts']]>([
    [{ detail: 'not in time' }, { reason: 'not in time' }],
    [{ detail: 'invite one', facts: { invite: 'one' } }, { invite: 'one' }],
    [{ detail: 'all', facts: {} }, {}],
    [{}, undefined],
  ])('have in parts what they are about: %j', (said, facts) => {
    const events = new SecurityEventsService();
    const heard: SecurityEvent[] = [];
    events.listen((one) => heard.push(one));
    events.emit({ ...event, ...said });
    expect(heard.map((one) => one.facts)).toEqual([facts]);
  });

  it('do not reach a listener that went', () => {
    const events = new SecurityEventsService();
    const heard: SecurityEvent[] = [];
    const leave = events.listen((one) => heard.push(one));
    leave();
    events.emit(event);
    expect(heard).toEqual([]);
  });
});
