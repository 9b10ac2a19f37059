import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, Length, NotContains } from 'class-validator';
import { CLIENT_AUTH_CHOICES, type NewClient } from '#libs/oauth';
import { PageOf } from './page.dto.js';
import { NULLABLE_TEXT, Text, TIME } from './values.decorator.js';

export class ClientRequest {
  @Text(200) name!: string;

  @ApiProperty({ type: [String], minItems: 1, maxItems: 20 })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @Length(1, 2048, { each: true })
  @NotContains('\0', { each: true, message: '$property takes no NUL' })
  redirectUris!: string[];

  @ApiProperty({ enum: [...CLIENT_AUTH_CHOICES], required: false, default: 'none' })
  @IsIn(CLIENT_AUTH_CHOICES)
  auth: NewClient['auth'] = 'none';
}

export class ListedClient {
  @ApiProperty() id!: string;
  @ApiProperty(NULLABLE_TEXT) name!: string | null;
  @ApiProperty({ enum: ['registered', 'published'] }) kind!: string;
  @ApiProperty({ type: [String] }) redirectUris!: readonly string[];
  @ApiProperty(NULLABLE_TEXT) auth!: string | null;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) lastUsedAt!: string;
  @ApiProperty() blocked!: boolean;
  @ApiProperty({ type: [String] }) blockedHosts!: readonly string[];
}

export class ClientsPage extends PageOf(ListedClient) {}

export class ShownClient extends ListedClient {
  @ApiProperty({ type: 'integer' }) apps!: number;
}

export class IssuedSecret {
  @ApiProperty() id!: string;
  @ApiProperty(NULLABLE_TEXT) secret!: string | null;
}

export class DeletedClient {
  @ApiProperty() id!: string;
  @ApiProperty({ type: 'integer' }) endedApps!: number;
}

export class BlockedClient {
  @ApiProperty() client!: string;
  @ApiProperty() blocked!: boolean;
}

export class ListedRedirectHost {
  @ApiProperty() redirectHost!: string;
  @ApiProperty(TIME) blockedAt!: string;
}

export class RedirectHostsPage extends PageOf(ListedRedirectHost) {}

export class BlockedRedirectHost {
  @ApiProperty() redirectHost!: string;
  @ApiProperty() blocked!: boolean;
}
