/** How a list of the API goes on: each page names the next by a cursor, the last one by null. */
export const cursorPages = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: { nextCursor: string | null }): string | null => page.nextCursor,
};

export const pageSize = 50;

/** The query of one page. */
export function pageParams(cursor: string | null): { limit: number; cursor?: string } {
  return cursor ? { limit: pageSize, cursor } : { limit: pageSize };
}
