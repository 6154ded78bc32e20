import { metersPerMile, type PriceRange, routes } from '@lendtools/contracts';
import { type BoundRoute, handle, type Pool } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { isToolName, tsqueryOf } from '../../domain/search-words.ts';
import { readOwnerPlace } from '../../store/owner-repository.ts';
import { readWords } from '../search-vocabulary.ts';

/** Prices further away say little about what neighbors pay. */
const withinMiles = 25;

/** Fewer tools make no range. */
const fewestTools = 3;

/** How many of the nearest tools of the category to read: it bounds the work, however many tools a city has. */
const mostRead = 500;

/** What similar tools nearby rent for, to help an owner choose a price. */
export const priceRange = ({ pool }: Deps): BoundRoute =>
  handle(routes.priceRange, async ({ params: { userId }, query }) => {
    const { category, rental_circle: circle, name, lat, lng } = query;
    const pickUp = lat !== undefined && lng !== undefined ? { lat, lng } : undefined;
    const place = pickUp ?? (await readOwnerPlace(pool, userId));
    if (!place) return { priceRange: null };
    const kind = name ? await kindOf(pool, name) : undefined;
    const found = await readPrices(pool, { userId, category, circle, kind, place });
    return { priceRange: rangeOf(found.kind, 'kind') ?? rangeOf(found.category, 'category') };
  });

/** A query for the kind of tool that a name ends with: for "Cordless drill, 18 V" it is a drill. */
const kindOf = async (pool: Pool, name: string): Promise<string | undefined> => {
  const { terms, formsOf } = await readWords(pool, name);
  const kind = terms.filter(isToolName).at(-1);
  return kind && tsqueryOf([kind], formsOf, 'named');
};

interface Prices {
  tools: number;
  /** The quartiles; null without tools. */
  cents: [number, number, number] | null;
}

interface SimilarTools {
  userId: string;
  category: string;
  circle: 'hourly' | 'daily';
  kind: string | undefined;
  place: { lat: number; lng: number };
}

const readPrices = async (
  pool: Pool,
  { userId, category, circle, kind, place }: SimilarTools,
): Promise<{ kind: Prices; category: Prices }> => {
  const prices = (filter: string): string => `json_build_object(
    'tools', count(*) FILTER (WHERE ${filter}),
    'cents', percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY price_cents) FILTER (WHERE ${filter}))`;
  // The filters follow the LIMIT, because a scan by distance for a circle that the category lacks would read all of it.
  const { rows } = await pool.query<{ kind: Prices; category: Prices }>(
    `WITH near AS MATERIALIZED (
       SELECT owner_id, rental_circle, price_cents, name_words,
         place <-> ll_to_earth($2::float8, $3::float8) AS chord
       FROM tools WHERE on_offer AND category_id = $1::uuid
       ORDER BY place <-> ll_to_earth($2::float8, $3::float8) LIMIT ${mostRead}
     ), alike AS (
       SELECT price_cents, coalesce(name_words @@ $6::tsquery, false) AS is_kind FROM near
       WHERE rental_circle = $4 AND owner_id <> $5::uuid AND chord <= gc_to_sec(${withinMiles * metersPerMile})
     )
     SELECT ${prices('is_kind')} AS kind, ${prices('true')} AS category FROM alike`,
    [category, place.lat, place.lng, circle, userId, kind ?? null],
  );
  return rows[0] as { kind: Prices; category: Prices };
};

const rangeOf = ({ tools, cents }: Prices, basis: 'kind' | 'category'): PriceRange => {
  if (!cents || tools < fewestTools) return null;
  const [lowCents, medianCents, highCents] = cents;
  return { basis, tools, lowCents, medianCents, highCents, withinMiles };
};
