import { sql, type SqlBool } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

export interface DeedRow {
  readonly id: string;
  readonly at: Date;
  readonly actorName: string | null;
  readonly actorEmail: string | null;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  /** The name of the user, the title of the copy; null for what has gone. */
  readonly subjectName: string | null;
  /** Who had booked it, where it is about a booking or its payment. */
  readonly buyerName: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface DeedFilter {
  readonly search: string;
  readonly action: string | undefined;
  /** Days in UTC, both counted whole. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const contains = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Deeds, the newest first, from below entry `before` on. */
export const listDeeds = (
  db: Db,
  filter: DeedFilter,
  page: { before: string | undefined; limit: number },
): Promise<DeedRow[]> => {
  const subjectOf = (kind: string) => sql`CASE WHEN a.subject_kind = ${sql.lit(kind)} THEN a.subject_id::uuid END`;
  const subjectName = sql<string | null>`coalesce(person.name, copy.title, booking.title, category.name)`;
  const conditions = [
    ...(page.before === undefined ? [] : [sql`a.id < ${page.before}`]),
    ...(filter.action === undefined ? [] : [sql`a.action = ${filter.action}`]),
    ...(filter.from === undefined ? [] : [sql`a.at >= (${filter.from}::date)::timestamp AT TIME ZONE 'UTC'`]),
    ...(filter.to === undefined ? [] : [sql`a.at < (${filter.to}::date + 1)::timestamp AT TIME ZONE 'UTC'`]),
    ...(filter.search === ''
      ? []
      : [
          sql`(actor.name ILIKE ${contains(filter.search)} OR actor.email ILIKE ${contains(filter.search)}
            OR ${subjectName} ILIKE ${contains(filter.search)} OR person.email ILIKE ${contains(filter.search)}
            OR a.subject_id ILIKE ${contains(filter.search)} OR a.details::text ILIKE ${contains(filter.search)})`,
        ]),
  ];
  const all = conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
  return db
    .selectFrom('audit_entries as a')
    .leftJoin('users as actor', 'actor.id', 'a.actor_id')
    .leftJoin('users as person', (join) => join.on(sql<SqlBool>`person.id = ${subjectOf('user')}`))
    .leftJoin('listings as copy', (join) => join.on(sql<SqlBool>`copy.id = ${subjectOf('listing')}`))
    .leftJoin('payments as payment', (join) => join.on(sql<SqlBool>`payment.id = ${subjectOf('payment')}`))
    .leftJoin('bookings as booking', (join) =>
      join.on(sql<SqlBool>`booking.id = coalesce(payment.booking_id, ${subjectOf('booking')})`),
    )
    .leftJoin('categories as category', (join) =>
      join.on(sql<SqlBool>`category.id = CASE WHEN a.subject_kind = 'category' THEN a.subject_id END`),
    )
    .select([
      'a.id',
      'a.at',
      'actor.name as actorName',
      'actor.email as actorEmail',
      'a.action',
      'a.subject_kind as subjectKind',
      'a.subject_id as subjectId',
      subjectName.as('subjectName'),
      'booking.buyer_name as buyerName',
      sql<Record<string, unknown>>`a.details`.as('details'),
    ])
    .where(all)
    .orderBy('a.id', 'desc')
    .limit(page.limit)
    .execute();
};
