import { existsSync } from 'node:fs';
import { forwardRef, Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import type { Extension } from '../app.module-definition.js';
import { readConfig } from '../config/config.js';
import { graphText, previewOf } from './graph.js';
import { problemsOf } from './graph-problems.js';

const FILE = 'never-made.sqlite';
const made: string[] = [];

@Injectable()
class Needed {
  constructor() {
    made.push('Needed');
  }
}

@Injectable()
class Forgotten {}

@Injectable()
class Worker implements OnModuleInit {
  constructor(readonly needed: Needed) {}

  onModuleInit() {
    made.push('Worker');
  }
}

@Module({ providers: [Needed], exports: [Needed] })
class NeededModule {}

@Injectable()
class Spare {}

@Module({ providers: [Spare], exports: [Spare] })
class SpareModule {}

@Injectable()
class Hen {
  constructor(@Inject(forwardRef(() => Egg)) readonly egg: unknown) {}
}

@Injectable()
class Egg {
  constructor(@Inject(forwardRef(() => Hen)) readonly hen: unknown) {}
}

@Module({ imports: [NeededModule, SpareModule], providers: [Worker, Forgotten, Hen, Egg] })
class TeamModule {}

const team: Extension = { gatehouse: 1, modules: () => [TeamModule] };

const preview = (extensions: readonly Extension[] = []) =>
  previewOf(readConfig({ DATABASE_URL: `sqlite:${FILE}` }), extensions);

describe('gatehouse graph', () => {
  it('shows modules, classes and what they need, twice the same, and makes none of them', async () => {
    const [one, two] = [await preview([team]), await preview([team])].map(graphText);
    expect(one).toBe(two);
    const { nodes, edges } = JSON.parse(String(one)) as {
      nodes: Record<string, { label: string }>;
      edges: Record<string, { metadata: Record<string, unknown> }>;
    };
    const labels = Object.values(nodes).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['AppModule', 'TeamModule', 'McpController']));
    const needs = { sourceClassName: 'Worker', targetClassName: 'Needed' };
    const links = Object.values(edges).map(({ metadata }) => metadata);
    expect(links).toContainEqual(expect.objectContaining(needs));
    expect([made, existsSync(FILE)]).toEqual([[], false]);
  });

  it.each([
    {},
    { REDIS_URL: 'redis://127.0.0.1:1', MANAGEMENT_PORT: '9090', ADMIN_TOKEN: 'a'.repeat(32) },
  ])('finds no problem in the service itself, with %o', async (variables) => {
    const config = readConfig({ DATABASE_URL: 'postgres://127.0.0.1:1/none', ...variables });
    expect(problemsOf(await previewOf(config, []))).toEqual([]);
  });

  it('names what nothing uses, and circles, in a line each', async () => {
    expect(problemsOf(await preview([team]))).toEqual([
      'TeamModule: nothing uses its provider Forgotten',
      'SpareModule: nothing uses its provider Spare',
      'TeamModule: uses nothing of SpareModule, which it imports',
      expect.stringMatching(/^(?:Hen → Egg → Hen|Egg → Hen → Egg)$/),
    ]);
  });
});
