import { NotFoundException } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';

/** Part of a list: at most `limit` rows after the one with the id `after`, or from the beginning. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
}

/** `next` is the id to continue after; null on the last page. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** A page from rows that were read with one beyond the limit, which shows whether more follow. */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
): ListPage<Row> {
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

export const unknownPage = () => new NotFoundException('there is no row of that id to go on after');

/** A page, newest first by the column `time`, which has an index together with the id. @throws NotFoundException */
export async function readNewestFirst<Row extends { readonly id: string }>(
  query: SelectQueryBuilder<Row>,
  { limit, after }: PageRequest,
  time: keyof Row & string,
): Promise<ListPage<Row>> {
  const { alias } = query;
  if (after !== undefined) {
    const last = await query.clone().where(`${alias}.id = :after`, { after }).getOne();
    if (!last || last[time] === null) throw unknownPage();
    query
      .andWhere(`${alias}.${time} <= :pageAt`, { pageAt: last[time] })
      .andWhere(`(${alias}.${time} < :pageAt OR ${alias}.id < :pageAfter)`, { pageAfter: after });
  }
  const order = query.orderBy(`${alias}.${time}`, 'DESC').addOrderBy(`${alias}.id`, 'DESC');
  return pageOf(await order.limit(limit + 1).getMany(), limit);
}
