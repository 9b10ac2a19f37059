import { Module } from '@nestjs/common';
import { AccountTools } from '#libs/mcp';
import type { Extension } from '#server';
import { ToolsChangedByCall } from './tools-changed-by-call.adapter.js';
import { ContentTool } from './content.tool.js';
import { SCOPE } from './fixture-options.js';
import { FixturePrompts } from './fixture.prompt.js';
import { FixtureResources } from './fixture.resource.js';
import { QuestionsTool } from './questions.tool.js';
import { SchemaTool } from './schema.tool.js';

@Module({
  providers: [ContentTool, FixturePrompts, FixtureResources, QuestionsTool, SchemaTool],
})
class FixtureModule {}

/** The tools that the scenarios of the conformance suite call, written as a team's extension. */
export const fixture: Extension = {
  gatehouse: 1,
  modules: () => [FixtureModule],
  replacements: { mcp: [{ provide: AccountTools, useClass: ToolsChangedByCall }] },
  scopes: [{ name: SCOPE, description: 'be tested' }],
};
