import { id, type ListedTool, type ListTotal, toDollars } from '@lendtools/contracts';
import { containing, countListed, type Db } from '@lendtools/service-kit';

interface ListedRow {
  id: string;
  name: string;
  category: string;
  ownerId: string;
  ownerFirstName: string;
  ownerLastName: string;
  priceCents: number;
  circle: 'hourly' | 'daily';
  units: number;
  rating: number;
  coverImage: string | null;
  isOffered: boolean;
  createdAt: Date;
}

interface AllToolsSearch {
  q: string | null;
  isOffered: boolean | null;
  before: string | null;
  limit: number;
}

/** Written out for each search, so that PostgreSQL can use the partial indexes. */
const found = ({ q, isOffered }: AllToolsSearch) => {
  const conditions = ['t.removed_at IS NULL'];
  const isId = q !== null && id.safeParse(q).success;
  if (isId) conditions.push('t.id = $1::uuid');
  else if (q !== null) conditions.push('t.name ILIKE $1');
  if (isOffered !== null) conditions.push(isOffered ? 't.on_offer' : 'NOT t.on_offer');
  const values = q === null ? [] : [isId ? q : containing(q)];
  return { rows: `FROM tools t WHERE ${conditions.join(' AND ')}`, values };
};

/** A page of all matching tools that are not removed, newest first. The first page includes their total. */
export const searchAllTools = async (
  db: Db,
  search: AllToolsSearch,
): Promise<{ tools: ListedTool[] } & ListTotal> => {
  const { rows, values } = found(search);
  const { before, limit } = search;
  const [$before, $limit] = [`$${values.length + 1}`, `$${values.length + 2}`];
  const [page, count] = await Promise.all([
    db.query<ListedRow>(
      `SELECT t.id, t.name, c.name AS category, t.owner_id AS "ownerId", o.first_name AS "ownerFirstName",
         o.last_name AS "ownerLastName", t.price_cents AS "priceCents", t.rental_circle AS circle, t.units, t.rating,
         t.cover_image AS "coverImage", t.on_offer AS "isOffered", t.created_at AS "createdAt"
       FROM (SELECT * ${rows} AND (${$before}::uuid IS NULL OR t.id < ${$before}) ORDER BY t.id DESC LIMIT ${$limit}) t
       JOIN categories c ON c.id = t.category_id JOIN owners o ON o.id = t.owner_id
       ORDER BY t.id DESC`,
      [...values, before, limit],
    ),
    // Counting a million tools would take longer than the page.
    before === null && countListed(db, { rows, values, isNarrowed: true }),
  ]);
  return { tools: page.rows.map(toListed), ...count };
};

const toListed = (row: ListedRow): ListedTool => ({
  id: row.id,
  name: row.name,
  category: row.category,
  owner: { id: row.ownerId, first_name: row.ownerFirstName, last_name: row.ownerLastName },
  price: toDollars(row.priceCents),
  rental_circle: row.circle,
  quantity: row.units,
  rating: row.rating,
  cover_image: row.coverImage ?? 'null',
  isOffered: row.isOffered,
  createdAt: row.createdAt.toISOString(),
});
