import { All, Controller, NotFoundException, UseGuards } from '@nestjs/common';
import { VisitorGuard } from '#libs/accounts';

/** Everything else below `/svc/oauth/` counts for the visitor as well; it has to be registered last. */
@Controller()
@UseGuards(VisitorGuard)
export class UnknownPathController {
  @All('svc/oauth/{*rest}')
  unknown(): never {
    throw new NotFoundException();
  }
}
