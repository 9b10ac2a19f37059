import { Controller, Get } from '@nestjs/common';
import { ReplicaService } from '../replica/replica.service.js';
import { ShownReplica } from './dto/replica.dto.js';
import { Operation } from './operation.decorator.js';

@Controller('admin/replica')
export class ReplicaController {
  constructor(private readonly replica: ReplicaService) {}

  @Get()
  @Operation('What the replica that is asked is made of, and what it is doing', ShownReplica)
  showReplica(): ShownReplica {
    return this.replica.show();
  }
}
