import { All, Controller, NotFoundException, UseGuards } from '@nestjs/common';
import { VisitorGuard } from '#libs/accounts';

/** Counts requests to unknown paths below `/svc/oauth/` for the visitor as well. It has to be registered last. */
@Controller()
@UseGuards(VisitorGuard)
export class UnknownPathController {
  @All('svc/oauth/{*rest}')
  unknown(): never {
    throw new NotFoundException();
  }
}
