import { Injectable } from '@nestjs/common';
import {
  type ScreenedContent,
  type ScreenedJson,
  ScreeningError,
  ScreeningService,
} from '#libs/code-runner';
import { asToolError } from './as-tool-error.js';

const screeningRefusal = (error: unknown) =>
  error instanceof ScreeningError ? error.message : undefined;

@Injectable()
export class ToolScreeningService extends ScreeningService {
  override async check(content: ScreenedContent, signal?: AbortSignal): Promise<void> {
    return asToolError(super.check(content, signal), screeningRefusal);
  }

  override async checkJson(content: ScreenedJson, signal?: AbortSignal): Promise<void> {
    return asToolError(super.checkJson(content, signal), screeningRefusal);
  }
}
