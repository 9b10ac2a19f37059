import { type CanActivate, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';

/** Where clients may not register: 404 for every method, as for a path that nobody has. */
@Injectable()
export class RegistrationSwitchGuard implements CanActivate {
  constructor(@Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions) {}

  canActivate() {
    if (this.options.registration === false) throw new NotFoundException();
    return true;
  }
}
