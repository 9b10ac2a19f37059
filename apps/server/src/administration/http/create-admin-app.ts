import { type INestApplication, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Registry } from 'prom-client';
import { commonHeaders, exactExpress, keepDecodable } from '../../http/express.adapter.js';
import { AdminAppModule } from './admin-app.module.js';
import { AdminDocument } from './admin-document.js';
import { recordAdminRequests } from './request-record.middleware.js';

const DOCUMENT = new DocumentBuilder()
  .setOpenAPIVersion('3.1.0')
  .setTitle('Gatehouse administration')
  .setVersion('1')
  .addBearerAuth(
    {
      type: 'http',
      scheme: 'bearer',
      description: 'The value of ADMIN_TOKEN, or a token of ADMIN_TOKENS_FILE',
    },
    'adminToken',
  )
  .addSecurityRequirements('adminToken')
  .build();

/** Creates the administration API, ready for requests; `running` are the services of the main application. */
export async function createAdminApp(running: Provider[]): Promise<INestApplication> {
  const adapter = new ExpressAdapter(exactExpress());
  const app = await NestFactory.create(AdminAppModule.with(running), adapter, {
    bodyParser: false,
    abortOnError: false,
  });
  app.use(recordAdminRequests(app.get(Registry)), commonHeaders, keepDecodable);
  app.get(AdminDocument).content = SwaggerModule.createDocument(app, DOCUMENT, {
    operationIdFactory: (_controller, method) => method,
  });
  return app.init();
}
