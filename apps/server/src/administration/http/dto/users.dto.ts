import { ApiProperty } from '@nestjs/swagger';
import { isPublicOrigin } from '../../../config/variable-rules.js';
import { PageOf, PageQuery } from './page.dto.js';
import { Optional, TakenBy, Text, TIME } from './values.decorator.js';

export class UsersQuery extends PageQuery {
  @Optional()
  @Text(200)
  search?: string;
}

export class RecoveryRequest {
  @Optional()
  @ApiProperty({ example: 'https://gate.example' })
  @TakenBy(
    (value) => typeof value === 'string' && isPublicOrigin(value),
    'an origin such as https://gate.example',
  )
  origin?: string;
}

export class ListedUser {
  @ApiProperty() id!: string;
  @ApiProperty() displayName!: string;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty({ ...TIME, nullable: true }) disabledAt!: string | null;
}

export class UsersPage extends PageOf(ListedUser) {}

export class ShownUser extends ListedUser {
  @ApiProperty({ type: 'integer' }) sessions!: number;
  @ApiProperty({ ...TIME, nullable: true }) lastSeenAt!: string | null;
}

export class DeletedUser {
  @ApiProperty() id!: string;
  @ApiProperty() displayName!: string;
  @ApiProperty({ enum: [true] }) deleted!: boolean;
}

export class SignedOutUser {
  @ApiProperty() id!: string;
  @ApiProperty({ type: 'integer' }) endedSessions!: number;
}

export class RecoveryLink {
  @ApiProperty() user!: string;
  @ApiProperty() link!: string;
}

export class RevokedRecovery {
  @ApiProperty() user!: string;
  @ApiProperty() revoked!: boolean;
}
