import { Injectable } from '@nestjs/common';
import { AccountExport } from 'gatehouse';
import { DataSource } from 'typeorm';

const GREETED = 'SELECT count FROM acme_greetings WHERE user_id = $1';

/** What Acme keeps about an account, for people who export their data. SQL alone: the command line asks too. */
@Injectable()
export class AcmeAccountExport extends AccountExport {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async dataOf(userId: string) {
    const [greeted] = await this.dataSource.query<{ count: number }[]>(GREETED, [userId]);
    return { acme: { greetings: Number(greeted?.count ?? 0) } };
  }
}
