import { maxPageSize } from '@lendtools/contracts';
import type { Pool } from '@lendtools/service-kit';
import {
  type PageEnd,
  readCursor,
  tiers,
  type WordMatch,
  writeCursor,
} from '../domain/page-cursor.ts';
import { textOf } from '../domain/search-words.ts';
import { type StoredJson, writeTool } from '../store/tool-json.ts';
import { areOutOfReach, type CalendarFacts, type Calendars, calendarsOn } from './free-dates.ts';
import {
  type PageSearch,
  readAtOnce,
  searchStatement,
  type ToolSearch,
} from './search-statement.ts';
import {
  areCommon,
  mendWords,
  mostCollected,
  readWords,
  type SearchedWords,
} from './search-vocabulary.ts';

export interface ToolPage {
  /** A JSON array of tools. */
  tools: string;
  nextCursor: string | null;
  /** The corrected words, if no tool has the typed words. */
  searchedFor?: string;
}

/** Corrects the words only if no tool on offer has them as typed. @throws AppError 400 if the cursor is invalid */
export const searchTools = async (pool: Pool, search: ToolSearch): Promise<ToolPage> => {
  const end = search.cursor ? readCursor(search.cursor, search.order) : undefined;
  if (search.dates && areOutOfReach(search.dates, Date.now()))
    return { tools: '[]', nextCursor: null };
  if (!search.q) return readPage(pool, search, { end });
  const words = await readWords(pool, search.q);
  if (words.terms.length === 0) return { tools: '[]', nextCursor: null };
  if (!end?.isMended) {
    const page = await readPage(pool, search, { end, words });
    const isFound = page.tools !== '[]' || page.nextCursor !== null;
    if (end || isFound || search.isExact || search.ownerId) return page;
  }
  const mended = await mendWords(pool, words);
  if (!mended) return { tools: '[]', nextCursor: null };
  const page = await readPage(pool, search, { end, words: mended, isMended: true });
  return { ...page, searchedFor: textOf(mended.terms) };
};

interface PageOptions {
  end?: PageEnd | undefined;
  words?: SearchedWords;
  isMended?: boolean;
}

interface FoundTool extends StoredJson, CalendarFacts {
  key: number;
  miles: number | null;
  id: string;
  match: WordMatch;
  /** In a search by dates: whether the search stopped after examining this tool, with more tools left to examine. */
  isLastLookedAt?: boolean;
}

/** Reads a page. When sorting by relevance, reads tier by tier: one index scan each, and most pages need only the first tier. */
const readPage = async (
  pool: Pool,
  search: ToolSearch,
  { end, words, isMended = false }: PageOptions,
): Promise<ToolPage> => {
  const { order, dates } = search;
  const calendars = dates && calendarsOn(dates, Date.now());
  const matches: WordMatch[] =
    words && order === 'relevance' ? tiers.slice(tierAt(end)) : ['words'];
  const pageOf = (page: FoundTool[], last: FoundTool | undefined): ToolPage => ({
    tools: `[${page.map((row) => writeTool(row, row.miles)).join(',')}]`,
    nextCursor: last
      ? writeCursor({ order, match: last.match, key: last.key, id: last.id, isMended })
      : null,
  });
  const rows: FoundTool[] = [];
  for (const match of matches) {
    const rest = { ...search, limit: search.limit - rows.length };
    const isContinued = end?.match === match;
    const tier = { ...rest, match, words, end: isContinued ? end : undefined };
    const found = await readTier(pool, tier, calendars);
    rows.push(...found.rows);
    if (found.stoppedAt) return pageOf(rows, found.stoppedAt);
    if (rows.length > search.limit) break;
  }
  const page = rows.slice(0, search.limit);
  return pageOf(page, rows.length > search.limit ? page.at(-1) : undefined);
};

/** Ten reads check about 2,000 tools, or up to 10,000 if most of them are fully booked and skipped by the query. */
const mostReads = 10;

/** In a search by dates, reads tools until enough of them are free. The number of reads is limited, so a page may be short. */
const readTier = async (
  pool: Pool,
  search: PageSearch,
  calendars: Calendars | undefined,
): Promise<{ rows: FoundTool[]; stoppedAt?: FoundTool | undefined }> => {
  const { match } = search;
  const rows: FoundTool[] = [];
  let { limit, end } = search;
  for (let reads = 1; ; reads++) {
    const read = (await readRows(pool, { ...search, limit, end })).map((row) => ({
      ...row,
      match,
    }));
    if (!calendars) return { rows: read };
    const last = read.at(-1);
    for (const row of read) {
      if (calendars.isFree(row)) rows.push(row);
      if (rows.length > search.limit) return { rows };
      // Check the time after each tool, so that every page makes progress.
      if (calendars.isSpent() && row !== last) return { rows, stoppedAt: row };
    }
    const isOver = read.length < readAtOnce(limit) && !last?.isLastLookedAt;
    if (!last || isOver) return { rows };
    if (reads === mostReads || calendars.isSpent()) return { rows, stoppedAt: last };
    end = last;
    // A second read means that many tools are booked, so read as many as allowed.
    limit = maxPageSize;
  }
};

const tierAt = (end: PageEnd | undefined): number => {
  const names: readonly string[] = tiers;
  return end ? Math.max(0, names.indexOf(end.match)) : 0;
};

/** Collects the matches before sorting: PostgreSQL assumes that an unknown word is common and would scan all tools in sort order. */
const readRows = async (pool: Pool, search: PageSearch): Promise<Omit<FoundTool, 'match'>[]> => {
  const { words } = search;
  if (words && !areCommon(words)) {
    const collected = await pool.query<FoundTool & { hits: number }>(
      searchStatement({ ...search, isCollected: true }),
    );
    if ((collected.rows[0]?.hits ?? 0) <= mostCollected) return collected.rows;
  }
  return (await pool.query<FoundTool>(searchStatement(search))).rows;
};
