import { Logger } from '@nestjs/common';
import { SecurityEventsService, type SecurityEventType } from '#libs/accounts';
import { AccountAnnouncerService } from './account-announcer.service.js';
import { InProcessTabBus } from './tab-bus.in-process.js';
import { TabBusDownError, type TabBusMessage } from './tab-bus.js';

const user = { id: 'ann', displayName: 'Ann' };

describe('AccountAnnouncerService', () => {
  let published: [string, TabBusMessage][];
  let isDown: boolean;
  let events: SecurityEventsService;
  let announcer: AccountAnnouncerService;

  class RecordingBus extends InProcessTabBus {
    override async publish(userId: string, message: TabBusMessage) {
      if (isDown) throw new TabBusDownError();
      published.push([userId, message]);
      return 0;
    }
  }

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    [published, isDown, events] = [[], false, new SecurityEventsService()];
    announcer = new AccountAnnouncerService(events, new RecordingBus());
    announcer.onModuleInit();
  });

  const emit = (type: SecurityEventType, userId: string | null = 'ann') =>
    events.emit({ type, userId, origin: 'https://gate.example' });

  it('tells of what its owner should see at once, and of nothing else', () => {
    emit('sign-in');
    emit('tool-called');
    emit('client-registered', null);
    const told = [
      'passkey-added',
      'passkey-removed',
      'account-recovered',
      'account-deleted',
      'connection-changed',
      'request-approved',
      'request-refused',
    ] as const;
    for (const type of told) emit(type);
    const at = expect.any(Number);
    expect(published).toEqual(told.map((type) => ['ann', { kind: 'account', type, at }]));
  });

  it('goes on after an outage of the bus, and ends with its module', async () => {
    isDown = true;
    emit('passkey-added');
    await Promise.resolve();
    isDown = false;
    emit('passkey-removed');
    await announcer.onModuleDestroy();
    emit('passkey-added');
    expect(published.map(([, message]) => message)).toMatchObject([{ type: 'passkey-removed' }]);
  });

  it('tells every replica of each session that ended here, and has done so when it ends', async () => {
    const endedSessions = ['a', 'b'].map((tokenHash) => ({ tokenHash, user }));
    events.emit({ type: 'user-signed-out', userId: 'ann', origin: '', endedSessions });
    await announcer.onModuleDestroy();
    expect(published).toEqual(
      ['a', 'b'].map((session) => ['ann', { kind: 'session-ended', session }]),
    );
  });
});
