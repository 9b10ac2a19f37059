import { All, Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AllowedMethods, ownOriginOf } from '#libs/accounts';

/** Tells passkey managers where users add and manage passkeys (W3C, Passkey Endpoints). */
@Controller()
export class PasskeyEndpointsController {
  @All('.well-known/passkey-endpoints')
  @AllowedMethods(['GET', 'HEAD'])
  endpoints(@Req() request: Request) {
    const page = `${ownOriginOf(request).origin}/svc/account`;
    return { enroll: page, manage: page };
  }
}
