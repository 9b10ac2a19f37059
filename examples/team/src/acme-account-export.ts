import { Injectable } from '@nestjs/common';
import { AccountExport } from 'gatehouse';
import { DataSource } from 'typeorm';
import { GreetingEntity } from './greeting.entity.js';

/** What Acme keeps about an account, for people who export their data, and for the command line. */
@Injectable()
export class AcmeAccountExport extends AccountExport {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async dataOf(userId: string) {
    const greeted = await this.dataSource.manager.findOneBy(GreetingEntity, { userId });
    return { acme: { greetings: greeted?.count ?? 0 } };
  }
}
