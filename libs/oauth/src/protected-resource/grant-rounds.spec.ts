import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { endWithAccess } from '#libs/accounts';

describe('an answer that stays open', () => {
  let isOpen: boolean;
  let response: EventEmitter;

  const open = (isActive: () => Promise<boolean>) => {
    isOpen = true;
    const destroy = () => {
      isOpen = false;
      response.emit('close');
    };
    response = Object.assign(new EventEmitter(), { destroy });
    endWithAccess(response as ServerResponse, Date.now() + 3_600_000, isActive);
  };

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    response.emit('close');
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('ends within 30 seconds when its grant ended before its time, or its user was disabled', async () => {
    let active = true;
    open(async () => active);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(isOpen).toBe(true);
    active = false;
    await jest.advanceTimersByTimeAsync(30_000);
    expect(isOpen).toBe(false);
  });

  it('stays open while the check of its grant fails', async () => {
    open(() => Promise.reject(new Error('down')));
    await jest.advanceTimersByTimeAsync(600_000);
    expect(isOpen).toBe(true);
  });
});
