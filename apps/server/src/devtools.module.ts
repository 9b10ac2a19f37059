import { type DynamicModule, Module } from '@nestjs/common';
import { DevtoolsModule } from '@nestjs/devtools-integration';

/**
 * Nest Devtools, on the loopback address alone. The package hands its `port` to `Server.listen` as it
 * is and names no host, so everybody could connect; the longer form of that argument names one.
 */
@Module({})
export class LoopbackDevtoolsModule {
  static forRoot(port: number): DynamicModule {
    const listen = { host: '127.0.0.1', port } as unknown as number;
    return {
      module: LoopbackDevtoolsModule,
      imports: [DevtoolsModule.register({ http: true, port: listen })],
    };
  }
}
