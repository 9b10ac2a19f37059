import type { SelectQueryBuilder } from 'typeorm';
import { type Page, pageOf, type PageRequest, UnknownPageError } from './page.js';

/**
 * A page of a query's rows, newest first: ordered by the column `time`, which has an index together with the id,
 * and by id for equal times. @throws UnknownPageError
 */
export async function readNewestFirst<Row extends { readonly id: string }>(
  query: SelectQueryBuilder<Row>,
  { limit, after }: PageRequest,
  time: keyof Row & string,
): Promise<Page<Row>> {
  const { alias } = query;
  if (after !== undefined) {
    const at = await timeOf(query, after, time);
    query
      .andWhere(`${alias}.${time} <= :pageAt`, { pageAt: at })
      .andWhere(`(${alias}.${time} < :pageAt OR ${alias}.id < :pageAfter)`, { pageAfter: after });
  }
  const order = query.orderBy(`${alias}.${time}`, 'DESC').addOrderBy(`${alias}.id`, 'DESC');
  return pageOf(await order.limit(limit + 1).getMany(), limit);
}

async function timeOf<Row extends object>(
  query: SelectQueryBuilder<Row>,
  id: string,
  time: keyof Row & string,
): Promise<unknown> {
  const { connection, expressionMap } = query;
  const { target } = expressionMap.mainAlias?.metadata ?? {};
  if (target === undefined) throw new TypeError('a page is read of an entity');
  const row = await connection
    .createQueryBuilder<Row>(target as new () => Row, 'row')
    .where('row.id = :id', { id })
    .getOne();
  if (!row || row[time] === null) throw new UnknownPageError();
  return row[time];
}
