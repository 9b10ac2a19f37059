import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  HttpCode,
  Inject,
  Injectable,
  Post,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { IsString } from 'class-validator';
import type { Request } from 'express';
import { Administration } from 'gatehouse';
import { ExternalIdentities, JsonBody } from 'gatehouse/accounts';
import { COMPANY, type Company } from './company-provider.service.js';

/** Lets the company's directory in, by the token that it shares with this service. */
@Injectable()
export class DirectoryGuard implements CanActivate {
  constructor(@Inject(COMPANY) private readonly company: Company) {}

  canActivate(context: ExecutionContext) {
    const { directoryToken: token } = this.company;
    const { headers } = context.switchToHttp().getRequest<Request>();
    if (token && isSame(headers.authorization ?? '', `Bearer ${token}`)) return true;
    throw new UnauthorizedException();
  }
}

export class Leaver {
  @IsString()
  subject!: string;
}

/** The company's directory says who left: their account here is disabled, passkeys and apps too. */
@Controller('acme/leavers')
@UseGuards(DirectoryGuard)
export class LeaversController {
  constructor(
    @Inject(COMPANY) private readonly company: Company,
    private readonly identities: ExternalIdentities,
    private readonly administration: Administration,
  ) {}

  @Post()
  @HttpCode(200)
  async leave(@JsonBody() { subject }: Leaver) {
    const user = await this.identities.userOf({ issuer: this.company.issuer, subject });
    if (user) await this.administration.disableUser(user.id, 'acme-directory');
    return { disabled: user !== undefined };
  }
}

/** Compares hashes, which are of one length. */
const isSame = (given: string, expected: string) =>
  timingSafeEqual(hashOf(given), hashOf(expected));

const hashOf = (text: string) => createHash('sha256').update(text).digest();
