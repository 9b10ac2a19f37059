import { Logger } from '@nestjs/common';
import { describeTabBus } from './tab-bus.contract.js';
import { InProcessTabBus } from './tab-bus.in-process.js';

describe('InProcessTabBus', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(true));

  describeTabBus(async () => ({ replicas: [new InProcessTabBus()], close: async () => {} }));
});
