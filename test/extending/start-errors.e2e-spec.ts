import {
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { describeStartFailure } from '../../apps/server/src/start-failure.js';
import { ExternalIdentities, ExternalSignIn, SecurityEventsService } from '#libs/accounts';
import { BudgetService } from '#libs/budget';
import { McpTool } from '#libs/mcp';
import { RequireScope } from '#libs/oauth';
import {
  Administration,
  Counter,
  type Extension,
  ReadinessChecks,
  Registry,
  ScreeningService,
  TabsService,
} from '#server';
import { startTeamApp } from './team-app.js';

const INPUT = { type: 'object', properties: {} } as const;

function withTool(more: object): Partial<Extension> {
  const described = { name: 'greet', title: 'Greet', description: 'Greets.', inputSchema: INPUT };
  const options = { ...described, scope: 'account:read', ...more };
  @Injectable()
  class AcmeTools {
    @McpTool(options as never)
    greet() {
      return {};
    }
  }
  @Module({ providers: [AcmeTools] })
  class AcmeModule {}
  return { modules: () => [AcmeModule] };
}

function withFactory(useFactory: () => unknown): Partial<Extension> {
  @Module({})
  class AcmeModule {}
  return {
    modules: () => [{ module: AcmeModule, providers: [{ provide: 'ACME', useFactory }] }],
  };
}

function withNeed(type: Type): Partial<Extension> {
  @Injectable()
  class Needy {
    constructor(@Inject(type) readonly needed: object) {}
  }
  @Module({ providers: [Needy] })
  class NeedyModule {}
  return { modules: () => [NeedyModule] };
}

const forgotten = (
  [
    [ExternalSignIn, 'accounts'],
    [ExternalIdentities, 'accounts'],
    [SecurityEventsService, 'accounts'],
    [BudgetService, 'budget'],
    [TabsService, 'tabs'],
    [ScreeningService, 'screening'],
    [Registry, 'metrics'],
    [ReadinessChecks, 'metrics'],
    [Administration, 'administration'],
  ] as const
).map(
  ([type, module]) =>
    [
      `a forgotten import for ${type.name}`,
      withNeed(type),
      new RegExp(
        `argument ${type.name} at index \\[0\\] is available in the NeedyModule module\\. Import builtIn\\.${module}, which offers it\\.$`,
      ),
    ] as const,
);

class Unprovided {
  readonly isThere = false;
}

@Injectable()
class Lost {
  constructor(readonly other: Unprovided) {}
}
@Module({ providers: [Lost] })
class LostModule {}

@Injectable()
class Bad implements OnModuleInit {
  onModuleInit() {
    throw new TypeError('cannot read the price list');
  }
}
@Module({ providers: [Bad] })
class BadModule {}

@Controller()
class Routes {
  @Get('acme')
  @RequireScope('acme:nothing')
  read() {
    return 'x';
  }
}
@Module({ controllers: [Routes] })
class RoutesModule {}

function withMetric(name: string): Partial<Extension> {
  @Injectable()
  class Counting {
    readonly counter: Counter;

    constructor(registry: Registry) {
      this.counter = new Counter({ name, help: 'Counts.', registers: [registry] });
    }
  }
  @Module({})
  class CountingModule {}
  return {
    modules: ({ metrics }) => [
      { module: CountingModule, imports: [metrics], providers: [Counting] },
    ],
  };
}

const cases: readonly (readonly [string, Partial<Extension>, RegExp])[] = [
  [
    'a scope of a tool that does not exist',
    withTool({ scope: 'acme:none' }),
    /tool "greet" \(AcmeTools\.greet\) needs the scope "acme:none", which is not one of: account:read,/,
  ],
  [
    'a name that no tool may have',
    withTool({ name: 'greet me' }),
    /tool "greet me" \(AcmeTools\.greet\) needs a name of 1 to 128/,
  ],
  [
    'the name of another tool',
    withTool({ name: 'run_code' }),
    /tool "run_code" \(AcmeTools\.greet\) has the name of another tool, RunCodeTool\.runCode/,
  ],
  [
    'a schema of another root',
    withTool({ inputSchema: { type: 'string' } }),
    /tool "greet" .* has a schema that cannot be used: .*its root has to be of type object/,
  ],
  [
    'no schema',
    withTool({ inputSchema: { type: 'object', properties: { a: { type: 'wrong' } } } }),
    /tool "greet" .* has a schema that cannot be used: .*wrong/,
  ],
  [
    'a scope of a route that does not exist',
    { modules: ({ accounts, oauth }) => [{ module: RoutesModule, imports: [accounts, oauth] }] },
    /Routes\.read requires the scope "acme:nothing", which is not one of: account:read,/,
  ],
  [
    'a factory that throws',
    withFactory(() => {
      throw new Error('no price\nlist');
    }),
    /Error: no price list \(\S+start-errors\.e2e-spec\.ts:\d+\)$/,
  ],
  [
    'a factory that rejects with no error',
    withFactory(async () => Promise.reject({ code: 'X' })),
    /\{ code: 'X' \}$/,
  ],
  [
    'a hook that throws',
    { modules: () => [BadModule] },
    /TypeError: cannot read the price list \(\S+start-errors\.e2e-spec\.ts:\d+\)$/,
  ],
  ...forgotten,
  [
    'a provider that is nowhere',
    { modules: () => [LostModule] },
    /argument Unprovided at index \[0\] is available in the LostModule module\.$/,
  ],
];

describe('the start ends with one line for', () => {
  const failureOf = async (extension: Partial<Extension>, variables = {}) => {
    const started = startTeamApp(extension, { LOG_LEVEL: 'fatal', ...variables });
    const error: unknown = await started.then(async ({ stop }) => stop()).catch((e: unknown) => e);
    const said = describeStartFailure(error);
    expect(said).toMatch(/^Gatehouse could not start: .+\n$/);
    return said.trimEnd();
  };

  it.each(cases)('%s', async (_fault, extension, line) => {
    expect(await failureOf(extension)).toMatch(line);
  });

  describe.each([
    ['with MANAGEMENT_PORT', { MANAGEMENT_PORT: '0' }],
    ['without MANAGEMENT_PORT', {}],
  ])('a metric, %s,', (_what, variables) => {
    it.each([
      ['that the service always has', 'gatehouse_requests_total'],
      ['that it has with MANAGEMENT_PORT', 'gatehouse_http_request_duration_seconds'],
      ['that it has with Redis', 'gatehouse_redis_connected'],
      ['of a name that it may have one day', 'gatehouse_acme_total'],
      ['of Node', 'nodejs_version_info'],
      ['of the process', 'process_start_time_seconds'],
    ])('%s', async (_which, name) => {
      expect(await failureOf(withMetric(name), variables)).toMatch(
        new RegExp(
          `metric ${name} .* are the service's.* \\(\\S+start-errors\\.e2e-spec\\.ts:\\d+\\)$`,
        ),
      );
    });
  });
});
