import { pipeline } from 'node:stream/promises';
import type { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { Page } from '#libs/ui-templates';

export const send = (response: Response, { status, headers, html }: Page) =>
  void response.status(status).set(headers).send(html);

/** Reads the file as fast as the browser takes it. That a browser leaves before its end is no failure. */
export async function sendFile(response: Response, file: StreamableFile) {
  const { type, disposition } = file.getHeaders();
  response.set({ 'Content-Type': type, 'Content-Disposition': String(disposition) });
  await pipeline(file.getStream(), response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
