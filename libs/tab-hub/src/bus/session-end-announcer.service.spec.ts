import { SecurityEventsService } from '#libs/accounts';
import { SessionEndAnnouncerService } from './session-end-announcer.service.js';
import { InProcessTabBus } from './tab-bus.in-process.js';
import type { TabBusMessage } from './tab-bus.js';

const user = { id: 'ann', displayName: 'Ann' };
const happened = { userId: 'ann', origin: '' };

describe('SessionEndAnnouncerService', () => {
  it('tells every replica of each session that ended here, and is told of when it closes', async () => {
    const [events, bus] = [new SecurityEventsService(), new InProcessTabBus()];
    const heard: TabBusMessage[] = [];
    await bus.subscribe('ann', (message) => heard.push(message));
    const announcer = new SessionEndAnnouncerService(events, bus);
    announcer.onModuleInit();
    events.emit({ ...happened, type: 'sign-out', endedSessions: [{ tokenHash: 'a', user }] });
    const endedSessions = ['b', 'c'].map((tokenHash) => ({ tokenHash, user }));
    events.emit({ ...happened, type: 'user-signed-out', endedSessions });
    await announcer.onModuleDestroy();
    events.emit({ ...happened, type: 'sign-out', endedSessions: [{ tokenHash: 'd', user }] });
    expect(heard).toEqual(['a', 'b', 'c'].map((session) => ({ kind: 'session-ended', session })));
  });
});
