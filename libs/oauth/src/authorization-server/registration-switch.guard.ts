import { type CanActivate, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';

/** When registration is switched off: 404 for every method, as for an unknown path. */
@Injectable()
export class RegistrationSwitchGuard implements CanActivate {
  constructor(@Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions) {}

  canActivate() {
    if (this.options.registration === false) throw new NotFoundException();
    return true;
  }
}
