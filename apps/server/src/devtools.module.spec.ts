import { NestFactory } from '@nestjs/core';
import { LoopbackDevtoolsModule } from './devtools.module.js';

describe('Nest Devtools', () => {
  it('print no token that runs code here', async () => {
    const print = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const later = jest.spyOn(globalThis, 'setTimeout');
    const app = await NestFactory.createApplicationContext(LoopbackDevtoolsModule.forRoot(0), {
      logger: false,
      snapshot: true,
      abortOnError: false,
    });
    const printing = later.mock.calls.find(([, delayMs]) => delayMs === 1000);
    later.mockRestore();
    expect(printing).toBeDefined();
    printing?.[0]();
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
    await app.close();
  });
});
