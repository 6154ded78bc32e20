import type { FetchArgs, FetchBaseQueryError } from '@reduxjs/toolkit/query/react';

/** A file of more lines is no longer looked through by a person, and this many fit a browser's memory on any machine. */
const mostRows = 10_000;
const pageSize = 200;

export interface AllRows<Row> {
  rows: Row[];
  /** There are more, which are left out. */
  isCut: boolean;
}

type Answer =
  | { data: unknown; error?: undefined }
  | { error: FetchBaseQueryError; data?: undefined };
type Ask = (request: FetchArgs) => PromiseLike<Answer> | Answer;

/** Every page of a list one after the other, for a file of all of it. */
export async function allPages<Page extends { nextCursor: string | null }, Row>(
  ask: Ask,
  { url, params, rowsOf }: Pick<FetchArgs, 'url' | 'params'> & { rowsOf: (page: Page) => Row[] },
): Promise<{ data: AllRows<Row> } | { error: FetchBaseQueryError }> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const answer = await ask({
      url,
      params: { ...params, limit: pageSize, ...(cursor && { cursor }) },
    });
    if (answer.error) return { error: answer.error };
    const page = answer.data as Page;
    rows.push(...rowsOf(page));
    cursor = page.nextCursor;
  } while (cursor && rows.length < mostRows);
  return { data: { rows, isCut: cursor !== null } };
}
