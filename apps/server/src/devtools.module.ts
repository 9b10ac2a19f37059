import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { DevtoolsModule } from '@nestjs/devtools-integration';

/**
 * Nest Devtools, on the loopback address alone, with the graph and without a playground. The package hands
 * its `port` to `Server.listen` as it is and names no host, so everybody could connect; the longer form of
 * that argument names one. It prints a token with which any program here could run code in the service, so
 * nobody is told that token.
 */
@Module({})
export class LoopbackDevtoolsModule {
  static forRoot(port: number): DynamicModule {
    withholdToken();
    const listen = { host: '127.0.0.1', port } as unknown as number;
    return {
      module: LoopbackDevtoolsModule,
      imports: [DevtoolsModule.register({ http: true, port: listen })],
    };
  }
}

const PRINT_TOKEN = 'printSandboxSessionToken';

/** The package exports neither its server nor a switch for this. */
function withholdToken() {
  const providers = Reflect.getMetadata(MODULE_METADATA.PROVIDERS, DevtoolsModule) as unknown[];
  const server = providers.find(
    (one): one is Type<object> => typeof one === 'function' && PRINT_TOKEN in one.prototype,
  );
  if (server === undefined) throw new Error(`Nest Devtools has no ${PRINT_TOKEN} any more`);
  Object.defineProperty(server.prototype, PRINT_TOKEN, { value: () => undefined });
}
