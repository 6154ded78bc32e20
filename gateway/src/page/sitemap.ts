import { endpoints, id, maxPageSize, pages, routes } from '@lendtools/contracts';
import { call, type Upstreams } from '@lendtools/service-kit';
import { z } from 'zod';
import { escapeHtml } from './head-tags.ts';
import { publicAddresses } from './public-pages.ts';

/** How many pages of tools one request reads at most: there may be a million tools. */
const mostPages = 25;
const patienceMs = 10_000;
const freshMs = 3_600_000;

const reply = z.object({ rentals: z.array(z.object({ id })), nextCursor: z.string().nullable() });

/** Reads the ids of the newest tools. If reading a page fails, returns the ids read so far and `isWhole: false`. */
const newestTools = async (catalog: Upstreams): Promise<{ ids: string[]; isWhole: boolean }> => {
  const endMs = Date.now() + patienceMs;
  const ids: string[] = [];
  let cursor: string | null = '';
  try {
    for (let pages = 0; cursor !== null && pages < mostPages; pages++) {
      const page: z.infer<typeof reply> = await call(
        catalog,
        { ...routes.allRentals, reply },
        {
          query: { limit: maxPageSize, ...(cursor && { cursor }) },
          timeoutMs: Math.max(0, endMs - Date.now()),
        },
      );
      ids.push(...page.rentals.map((tool) => tool.id));
      cursor = page.nextCursor;
    }
    return { ids, isWhole: true };
  } catch {
    return { ids, isWhole: false };
  }
};

const xmlOf = (addresses: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.map((address) => `<url><loc>${escapeHtml(address)}</loc></url>`).join('\n')}
</urlset>
`;

/** Builds the sitemap at most once an hour. Coalesces concurrent requests; an incomplete sitemap is not cached. */
export const sitemapOf = (catalog: Upstreams, origin: string) => {
  let made: { xml: Promise<string>; untilMs: number } | undefined;
  const make = async (): Promise<string> => {
    const { ids, isWhole } = await newestTools(catalog);
    if (!isWhole) made = undefined;
    const tools = ids.map((tool) => pages.ofId(pages.tool, tool));
    return xmlOf([...publicAddresses, ...tools].map((address) => origin + address));
  };
  return (): Promise<string> => {
    if (!made || made.untilMs < Date.now()) made = { xml: make(), untilMs: Date.now() + freshMs };
    return made.xml;
  };
};

export const robotsOf = (origin: string): string =>
  `User-agent: *
Allow: ${endpoints.images}
Allow: ${pages.memberTool}
Disallow: /api/
Disallow: ${pages.userArea}/
Disallow: ${pages.adminArea}/

Sitemap: ${origin}/sitemap.xml
`;
