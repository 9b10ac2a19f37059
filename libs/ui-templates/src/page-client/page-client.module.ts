import { Module } from '@nestjs/common';
import { PageClientController } from './page-client.controller.js';

/** `/svc/client.js`, with which pages of the site sign people in and offer tools to their apps. */
@Module({ controllers: [PageClientController] })
export class PageClientModule {}
