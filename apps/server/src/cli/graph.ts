import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory, SerializedGraph } from '@nestjs/core';
import { LoadShedder } from '#libs/platform';
import { AppModule } from '../app.module.js';
import type { Extension } from '../app.module-definition.js';
import type { Config } from '../config/config.js';
import { expectFit } from '../extension-fit.js';
import { UnreadAnswers } from '../http/unread-answers.js';

/**
 * The modules of the service with `extensions`, and what their classes are given, as Nest connects them: in preview no
 * provider is made, nothing listens, and no database is opened. @throws ExtensionError for one that does not fit
 */
export async function previewOf(config: Config, extensions: readonly Extension[]) {
  for (const extension of extensions) expectFit(extension, 'an extension');
  const load = [LoadShedder, UnreadAnswers].map((provide) => ({ provide, useValue: {} }));
  const module = AppModule.forRoot(config, extensions, load);
  const options = { preview: true, snapshot: true, logger: false, abortOnError: false } as const;
  return NestFactory.createApplicationContext(module, options);
}

/** As Nest serializes it, but for times: two graphs of the same modules are equal. */
export const graphText = (app: INestApplicationContext): string =>
  JSON.stringify(app.get(SerializedGraph), withoutTimes, 2);

const withoutTimes = (name: string, value: unknown) => (name === 'initTime' ? undefined : value);
