import { Logger } from '@nestjs/common';
import { itIsATabBus } from './tab-bus.contract.js';
import { InProcessTabBus } from './tab-bus.in-process.js';

describe('InProcessTabBus', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));

  itIsATabBus(async () => ({ replicas: [new InProcessTabBus()], close: async () => {} }));
});
