import { Controller, Get } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { TIME } from './operation/input.js';
import { Operation } from './operation/operation.js';
import { ReplicaService } from './replica.service.js';

const INTEGER = { type: 'integer' } as const;

const numbers = (...names: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, INTEGER])),
  required: names,
});

class ReplicaLoad {
  @ApiProperty(INTEGER) requestsAtWork!: number;
  @ApiProperty(INTEGER) bodyBytes!: number;
  @ApiProperty(INTEGER) loopLagMs!: number;
  @ApiProperty(numbers('requests', 'lag')) refused!: object;
}

class ReplicaDatabase {
  @ApiProperty() type!: string;

  @ApiProperty({ ...numbers('busy', 'idle', 'waiting', 'most'), nullable: true })
  connections!: object | null;
}

class ReplicaRedis {
  @ApiProperty() status!: string;
  @ApiProperty(INTEGER) unanswered!: number;
}

class BusyHub {
  @ApiProperty() user!: string;
  @ApiProperty(INTEGER) tabs!: number;
}

class ReplicaHub {
  @ApiProperty(INTEGER) tabs!: number;
  @ApiProperty(INTEGER) accounts!: number;
  @ApiProperty({ type: [BusyHub] }) busiest!: readonly BusyHub[];
}

class ShownReplica {
  @ApiProperty() version!: string;
  @ApiProperty() node!: string;
  @ApiProperty(TIME) startedAt!: string;
  @ApiProperty({ type: [String] }) variables!: readonly string[];
  @ApiProperty({ type: [String] }) modules!: readonly string[];

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  adapters!: Readonly<Record<string, string>>;

  @ApiProperty() load!: ReplicaLoad;

  @ApiProperty(numbers('rssBytes', 'heapUsedBytes', 'heapTotalBytes', 'externalBytes'))
  memory!: object;

  @ApiProperty() database!: ReplicaDatabase;
  @ApiProperty({ type: ReplicaRedis, nullable: true }) redis!: ReplicaRedis | null;
  @ApiProperty() hub!: ReplicaHub;
}

@Controller('admin/replica')
export class ReplicaController {
  constructor(private readonly replica: ReplicaService) {}

  @Get()
  @Operation('What the replica that is asked is made of, and what it is doing', ShownReplica)
  showReplica() {
    return this.replica.show();
  }
}
