import { asParams, asText, type Params } from './payment-methods.ts';

interface Listed {
  id: string;
  created: number;
}

/** Lists objects, newest first, in pages selected by `starting_after` and `ending_before`. */
export function listPage<T extends Listed>(
  items: Iterable<T>,
  query: { url: string; params: Params; matches?: (item: T) => boolean },
): object {
  const { params, url } = query;
  const all = [...items].reverse().filter((item) => query.matches?.(item) ?? true);
  const found = all.filter((item) => inRange(item.created, params.created));
  const limit = Math.min(Math.max(Number(params.limit ?? 10) || 10, 1), 100);
  const after = asText(params.starting_after);
  const before = asText(params.ending_before);
  const end = before ? found.findIndex((item) => item.id === before) : found.length;
  const start = after ? found.findIndex((item) => item.id === after) + 1 : 0;
  const from = before ? Math.max(end - limit, 0) : start;
  const data = found.slice(from, Math.min(from + limit, end < 0 ? found.length : end));
  const more = before ? from > 0 : from + data.length < found.length;
  return { object: 'list', data, has_more: more, url };
}

function inRange(created: number, range: unknown): boolean {
  if (range === undefined) return true;
  if (typeof range === 'string') return created === Number(range);
  const { gt, gte, lt, lte } = asParams(range);
  return (
    (gt === undefined || created > Number(gt)) &&
    (gte === undefined || created >= Number(gte)) &&
    (lt === undefined || created < Number(lt)) &&
    (lte === undefined || created <= Number(lte))
  );
}
