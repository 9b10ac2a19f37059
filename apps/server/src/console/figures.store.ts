import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SecurityEventType } from '#libs/accounts';
import { column, PreparedStatement } from '#libs/platform';
import { firstIdOf } from '../audit/audit-reader.store.js';

const HOUR_MS = 60 * 60 * 1000;
const HOURS = 24;

interface Figure {
  readonly title: string;
  readonly types: readonly SecurityEventType[];
}

const FIGURES: readonly Figure[] = [
  { title: 'Sign-ins', types: ['sign-in'] },
  { title: 'New accounts', types: ['sign-up'] },
  { title: 'Tool calls', types: ['tool-called'] },
  {
    title: 'Refusals',
    types: [
      'call-refused',
      'sign-in-failed',
      'passkey-refused',
      'foreign-origin-refused',
      'client-authentication-failed',
      'authorization-refused',
      'token-refused',
      'bearer-refused',
      'admin-token-refused',
      'managed-access-refused',
      'consent-refused',
    ],
  },
];

/** By the index of the types, from the first id of the time on. */
const COUNT = new PreparedStatement<'types' | 'first'>(
  'console-figures',
  ({ listed }) => `
  SELECT type, at / ${HOUR_MS} AS hour, SUM(count) AS n FROM audit_events
  WHERE type IN (SELECT value FROM ${listed(':types')}) AND id >= :first GROUP BY 1, 2`,
);

/** A figure and the count of each hour, which begins at that time in ISO 8601. */
export interface HourlyFigure {
  readonly title: string;
  readonly hours: readonly (readonly [hour: string, n: number])[];
}

/** What the trail counted in each of the last 24 hours, the oldest first. */
@Injectable()
export class FiguresStore {
  constructor(private readonly dataSource: DataSource) {}

  async read(now: number): Promise<readonly HourlyFigure[]> {
    const last = Math.floor(now / HOUR_MS);
    const hours = Array.from({ length: HOURS }, (_, n) => last - HOURS + 1 + n);
    const types = JSON.stringify(FIGURES.flatMap((figure) => figure.types));
    const first = firstIdOf((hours[0] ?? last) * HOUR_MS);
    const { rows } = await COUNT.run(this.dataSource, { types, first });
    const counted = ({ types: ofFigure }: Figure, hour: number) =>
      rows
        .filter((row) => ofFigure.some((type) => type === column.text(row, 'type')))
        .filter((row) => column.number(row, 'hour') === hour)
        .reduce((sum, row) => sum + column.number(row, 'n'), 0);
    return FIGURES.map((figure) => ({
      title: figure.title,
      hours: hours.map((hour) => [new Date(hour * HOUR_MS).toISOString(), counted(figure, hour)]),
    }));
  }
}
