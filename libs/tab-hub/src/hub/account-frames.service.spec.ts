import { Logger } from '@nestjs/common';
import { SecurityEventsService, type SecurityEventType } from '#libs/accounts';
import { InProcessTabBus } from '../bus/tab-bus.in-process.js';
import type { TabBusMessage } from '../bus/tab-bus.js';
import { TabBusDownError } from '../bus/tab-bus-down.error.js';
import { AccountFramesService } from './account-frames.service.js';

describe('AccountFramesService', () => {
  let published: [string, TabBusMessage][];
  let isDown: boolean;
  let events: SecurityEventsService;
  let frames: AccountFramesService;

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
    frames = new AccountFramesService(events, new RecordingBus());
    frames.onModuleInit();
  });

  const emit = (type: SecurityEventType, userId: string | null = 'ann') =>
    events.emit({ type, userId, origin: 'https://gate.example' });

  it('tells of what guards an account, and of nothing else', () => {
    emit('sign-in');
    emit('client-registered', null);
    const told = [
      'passkey-added',
      'passkey-removed',
      'account-recovered',
      'account-deleted',
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
    frames.onModuleDestroy();
    emit('passkey-added');
    expect(published.map(([, message]) => message)).toMatchObject([{ type: 'passkey-removed' }]);
  });
});
