import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pages } from '@lendtools/contracts';
import { Upstreams } from '@lendtools/service-kit';
import compression from 'compression';
import express, { type Request, type Router } from 'express';
import type { GatewayConfig } from './config.ts';
import { packedFiles } from './packed-files.ts';
import { type BriefCall, briefCallOf } from './page/brief-call.ts';
import { findTools } from './page/found-tools.ts';
import { escapeHtml, type PageFacts, withFacts } from './page/head-tags.ts';
import { pageFacts } from './page/public-pages.ts';
import { robotsOf, sitemapOf } from './page/sitemap.ts';
import { findTool } from './page/tool-facts.ts';
import { allowScriptsOf } from './security-headers.ts';

type MapConfig = Pick<GatewayConfig, 'MAP_TILES_URL' | 'MAP_ATTRIBUTION' | 'MAP_ATTRIBUTION_URL'>;
type SiteConfig = Pick<GatewayConfig, 'WEB_DIST' | 'PUBLIC_URL' | 'CATALOG_URL'> & MapConfig;

const toolPaths = [pages.tool, pages.memberTool];
const searchPaths: string[] = [pages.home, pages.browse];
/** Files that lead browsers to the next version of the app. Caching them without revalidation would delay this version. */
const revalidated = /(sw\.js|\.webmanifest|\.html)$/;

/** Whether a path names a file: no page of the app has a dot in its path, encoded or not. */
const isFilePath = (path: string): boolean => /\.|%2e/i.test(path);

/** Whether a browser navigates to a page: only such a request names HTML in `Accept`; requests for files accept anything. */
const isNavigation = (request: Request): boolean =>
  request.get('accept')?.includes('text/html') ?? false;

/** Serves the web app. Browsers cache files with a content hash in their name forever, and revalidate the page each time. */
export const site = (config: SiteConfig): Router => {
  const { WEB_DIST, PUBLIC_URL, CATALOG_URL } = config;
  const folder = path.resolve(WEB_DIST);
  const router = express.Router();
  const assets = path.join(folder, 'assets');
  const forever = { immutable: true, maxAge: '365d' };
  router.use('/assets', packedFiles(assets, forever));
  router.use(compression());
  router.use('/assets', express.static(assets, { ...forever, fallthrough: false }));
  router.use(
    express.static(folder, {
      index: false,
      maxAge: '1h',
      setHeaders: (response, file) => {
        if (revalidated.test(file)) response.setHeader('Cache-Control', 'no-cache');
      },
    }),
  );
  addPages(router, path.join(folder, 'index.html'), {
    catalog: new Upstreams(CATALOG_URL),
    origin: new URL(PUBLIC_URL).origin,
    map: mapTag(config),
  });
  return router;
};

const mapTag = ({ MAP_TILES_URL, MAP_ATTRIBUTION, MAP_ATTRIBUTION_URL }: MapConfig): string => {
  if (MAP_TILES_URL === 'none') return '';
  const map = { tiles: MAP_TILES_URL, by: MAP_ATTRIBUTION, terms: MAP_ATTRIBUTION_URL };
  return `<meta name="lendtools-map" content="${escapeHtml(JSON.stringify(map))}">`;
};

/** Serves the page at every path, with head tags for crawlers and previews, which don't run the app. */
const addPages = (
  router: Router,
  page: string,
  { catalog, origin, map }: { catalog: Upstreams; origin: string; map: string },
): void => {
  // Create two functions: each stops calling catalog for a while after a timeout, and a slow search must not stop tool previews.
  const [callForTool, callForSearch] = [briefCallOf(catalog), briefCallOf(catalog)];
  const sitemap = sitemapOf(catalog, origin);
  router.get('/robots.txt', (_request, response) => {
    response.type('text').send(robotsOf(origin));
  });
  router.get('/sitemap.xml', async (_request, response) => {
    response.type('xml').send(await sitemap());
  });
  router.get('/{*path}', async (request, response, next) => {
    // A missing file gets the app's page, with status 404, only if a browser navigates to it.
    const isFile = isFilePath(request.path);
    if (!(isFile ? isNavigation(request) : request.accepts('html'))) return next();
    const html = (await readFile(page, 'utf8')).replace('</head>', () => `${map}</head>`);
    allowScriptsOf(html, response);
    response.set('Cache-Control', 'no-cache').type('html');
    if (isFile) return void response.status(404).send(html);
    if (!toolPaths.includes(request.path)) {
      const facts = pageFacts(request.path);
      const first = await firstOf(request, facts, callForSearch);
      return void response.send(withFacts(html, { ...facts, first }, origin));
    }
    const found = await findTool(callForTool, String(request.query.id ?? ''), origin);
    if (found === 'unknown') return void response.send(html);
    const facts = found === 'missing' ? pageFacts(request.path) : found.facts;
    response.status(found === 'missing' ? 404 : 200);
    response.send(withFacts(html, facts, origin));
  });
};

const firstOf = async (
  { path, query }: Request,
  { first }: PageFacts,
  brief: BriefCall,
): Promise<PageFacts['first']> => {
  const params = Object.keys(query);
  if (params.length === 0) return first;
  // Prerender results only for `q` alone, because the app itself applies all other parameters.
  if (!searchPaths.includes(path) || params.join() !== 'q') return undefined;
  const tools = await findTools(brief, String(query.q));
  return tools.length > 0 ? { tools } : undefined;
};
