import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Running, readConfig } from '@lendtools/service-kit';
import { httpClient } from '@lendtools/testing';
import { config } from '../src/config.ts';
import { startGateway } from '../src/start-gateway.ts';

const id = '0197a3f0-1111-7000-8000-000000000001';
const hostile = `Drill </script><script>alert(1)</script> "quoted" 'single' & $' $& <!--`;
const drill = {
  id,
  name: 'Cordless drill',
  description: 'Two batteries,\n a case and a set of bits.',
  price: 18.5,
  rental_circle: 'daily',
  item_status: 'Available',
  rating: 4.5,
  reviewCount: 2,
  category: { id, name: 'Drills' },
  user: { first_name: 'Sam', city: 'Portland', state: 'Oregon' },
  cover_image: '/api/images/tools-1a2b-640.webp',
};

const notFound = { code: 'TOOL_NOT_FOUND', detail: 'It is gone.', errors: [] };

type Reply = { status: number; body: unknown };
let reply: (url: string) => Reply | undefined;
let requestedUrls: string[];
let catalog: Server;
let gateway: Running;
let client: ReturnType<typeof httpClient>;

beforeAll(async () => {
  catalog = createServer((request, response) => {
    requestedUrls.push(request.url ?? '');
    const answer = reply(request.url ?? '');
    if (!answer) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((done) => catalog.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(catalog.address() as AddressInfo).port}`;
  const folder = mkdtempSync(path.join(tmpdir(), 'site-'));
  const page =
    '<head><!--page--><title>Whole app</title><!--/page--><script>start()</script></head>' +
    '<div id="root"><!--first--><i></i><!--/first--></div>';
  writeFileSync(path.join(folder, 'index.html'), page);
  writeFileSync(path.join(folder, 'sw.js'), 'start()');
  const others = ['ACCOUNTS', 'BOOKINGS', 'PAYMENTS', 'MESSAGING', 'NOTIFICATIONS'];
  gateway = await startGateway(
    readConfig(config, {
      ...Object.fromEntries(others.map((name) => [`${name}_URL`, url])),
      PUBLIC_URL: 'https://lendtools.test',
      LOG_LEVEL: 'silent',
      WEB_DIST: folder,
      CATALOG_URL: url,
    }),
  );
  client = httpClient(gateway.url);
});
beforeEach(() => {
  requestedUrls = [];
  reply = () => ({ status: 200, body: { tool: [drill] } });
});
afterAll(async () => {
  await gateway.stop();
  catalog.closeAllConnections();
  catalog.close();
});

const open = async (address: string) => {
  const { status, headers, body } = await client.get(address, { headers: { accept: 'text/html' } });
  const page = new DOMParserOf(body);
  return { status, headers, body: body as string, ...page };
};

class DOMParserOf {
  title: string | undefined;
  canonical: string | undefined;
  meta: Record<string, string>;
  data: Record<string, unknown> | undefined;

  constructor(html: string) {
    const text = (escaped: string) =>
      escaped
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
    this.title = text(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '');
    this.canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
    this.meta = Object.fromEntries(
      [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)].map(
        ([, name = '', content = '']) => [name, text(content)],
      ),
    );
    const data = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html)?.[1];
    this.data = data ? JSON.parse(data) : undefined;
  }
}

describe('the page of the app', () => {
  it("allows only the page's own script, by its hash", async () => {
    const { headers } = await open('/');

    const hash = createHash('sha256').update('start()').digest('base64');
    expect(headers.get('content-security-policy')).toContain(
      `script-src 'self' 'sha256-${hash}' https://js.stripe.com`,
    );
  });

  it("shows a public page's heading before the app has loaded", async () => {
    const { body } = await open('/user-login');

    expect(body).toContain('<div id="root"><b>Login</b></div>');
  });

  it('shows no heading on a private page', async () => {
    const { body } = await open('/user/my-rentals');

    expect(body).toContain('<i></i>');
  });
});

describe('the page of a search', () => {
  it.each(['/?q=drill', '/home?q=drill'])(
    'shows the results before the app has loaded: %s',
    async (address) => {
      const found = [drill, { ...drill, name: hostile, cover_image: 'null' }];
      reply = () => ({ status: 200, body: { rentals: found } });

      const { body } = await open(address);

      expect(requestedUrls).toEqual(['/api/all-rentals?q=drill&limit=4']);
      expect(body).toContain('/api/images/tools-1a2b-320.webp 320w');
      expect(body).toContain('<figcaption>Cordless drill</figcaption>');
      expect(body).toContain('<span></span><figcaption>Drill &lt;/script&gt;&lt;script&gt;');
      expect(body).not.toContain('<b>');
    },
  );

  it.each([
    ['finds nothing', { status: 200, body: { rentals: [] } }],
    ['is rejected', { status: 400, body: { ...notFound, code: 'VALIDATION_FAILED' } }],
    ['fails', { status: 500, body: {} }],
  ])('shows no results of a search that %s', async (_, answer) => {
    reply = () => answer;

    const { status, body } = await open('/home?q=drill');

    expect(status).toBe(200);
    expect(body).toContain('<!--first--><i></i>');
  });

  it('does not stop the preview of a shared tool when the search hangs', async () => {
    reply = (url) =>
      url.includes('all-rentals') ? undefined : { status: 200, body: { tool: [drill] } };
    await open('/home?q=slow');

    expect((await open(`/rental-details?id=${id}`)).title).toBe('Cordless drill · LendTools');
  });

  it('shows no results if the URL has a filter that only the app applies', async () => {
    const { body } = await open('/home?q=drill&radius=5');

    expect(requestedUrls).toEqual([]);
    expect(body).toContain('<!--first--><i></i>');
  });
});

describe('the page of a shared tool', () => {
  it('describes the tool with title, description, price and picture', async () => {
    const { status, title, canonical, meta, data, body } = await open(`/rental-details?id=${id}`);

    const address = `https://lendtools.test/rental-details?id=${id}`;
    const description =
      '$18.50 a day in Portland, Oregon. Two batteries, a case and a set of bits.';
    const image = 'https://lendtools.test/api/images/tools-1a2b-1280.webp';
    expect({ status, title, canonical }).toEqual({
      status: 200,
      title: 'Cordless drill · LendTools',
      canonical: address,
    });
    expect(meta).toEqual({
      description,
      'lendtools-map': expect.stringContaining('https://tile.openstreetmap.org/'),
      'og:site_name': 'LendTools',
      'og:type': 'product',
      'og:title': 'Cordless drill',
      'og:description': description,
      'og:url': address,
      'og:image': image,
      'og:image:alt': 'Cordless drill',
      'twitter:card': 'summary_large_image',
    });
    expect(data).toMatchObject({
      '@type': 'Product',
      name: 'Cordless drill',
      image: [image],
      category: 'Drills',
      aggregateRating: { ratingValue: 4.5, reviewCount: 2 },
      offers: {
        '@type': 'Offer',
        price: '18.50',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        url: address,
      },
    });
    expect(body).toContain('<div id="root"><b>Cordless drill</b><img ');
    expect(body).toContain('/api/images/tools-1a2b-320.webp 320w');
    expect(body).not.toContain('Whole app');
  });

  it('has the public canonical URL, even at the path for logged-in users', async () => {
    const { canonical, title } = await open(`/user/rental-details?id=${id}&quantity=1`);

    expect({ canonical, title }).toEqual({
      canonical: `https://lendtools.test/rental-details?id=${id}`,
      title: 'Cordless drill · LendTools',
    });
  });

  it("escapes the tool's texts", async () => {
    const tool = { ...drill, name: hostile, description: hostile, category: { id, name: hostile } };
    reply = () => ({ status: 200, body: { tool: [tool] } });

    const { body, title, meta, data } = await open(`/rental-details?id=${id}`);

    expect(title).toBe(`${hostile} · LendTools`);
    expect(meta['og:title']).toBe(hostile);
    expect(data).toMatchObject({ name: hostile, category: hostile });
    expect(body.match(/<script/g)).toHaveLength(2);
    expect(body).toContain('<b>Drill &lt;/script&gt;&lt;script&gt;alert(1)');
    expect(body).not.toContain('alert(1)</script><');
    expect(body.match(/<div id="root">/g)).toHaveLength(1);
  });

  it('shortens a long description, and replaces a missing picture with our own', async () => {
    const tool = { ...drill, description: 'bits '.repeat(500), cover_image: 'null' };
    reply = () => ({ status: 200, body: { tool: [tool] } });

    const { meta } = await open(`/rental-details?id=${id}`);

    expect(meta.description?.length).toBeLessThanOrEqual(201);
    expect(meta.description).toMatch(/bits…$/);
    expect(meta['og:image']).toBe('https://lendtools.test/share.png');
  });

  it.each([
    ['is unknown', id, 404],
    ['has no id', '', 404],
    ['has an invalid id', `${'x'.repeat(3000)}`, 404],
  ])('has status 404 and still loads the app, for a tool that %s', async (_, wanted, status) => {
    reply = () => ({ status: 404, body: notFound });

    const page = await open(`/rental-details?id=${wanted}`);

    expect(page.status).toBe(status);
    expect(page.body).toContain('<div id="root">');
    expect(page.meta.robots).toBe('noindex');
    expect(requestedUrls).toHaveLength(wanted === id ? 1 : 0);
  });

  it.each<[string, Reply | undefined]>([
    ['fails', { status: 500, body: {} }],
    ['answers nonsense', { status: 200, body: { tool: [{ id }] } }],
    ['never answers', undefined],
  ])("serves a shared tool's page without a preview when catalog %s", async (_, answer) => {
    reply = () => answer;

    const { status, title } = await open(`/rental-details?id=${id}`);

    expect({ status, title }).toEqual({ status: 200, title: 'Whole app' });
  });
});

describe('the page at a public or private path', () => {
  it.each([
    ['/', 'https://lendtools.test/'],
    ['/home', 'https://lendtools.test/home'],
    ['/benefits', 'https://lendtools.test/benefits'],
  ])('describes the public path %s and has its canonical URL', async (address, canonical) => {
    const page = await open(`${address}?utm_source=x`);

    expect(page.canonical).toBe(canonical);
    expect(page.meta['og:image']).toBe('https://lendtools.test/share.png');
    expect(page.meta['og:title']).toMatch(/\w/);
    expect(page.meta.robots).toBeUndefined();
    expect(requestedUrls).toEqual([]);
  });

  it.each(['/user/my-bookings', '/admin/all-users', '/reset-password?token=x', '/cart'])(
    'keeps search engines from the private path %s',
    async (address) => {
      const { status, meta, canonical } = await open(address);

      expect({ status, robots: meta.robots, canonical }).toEqual({
        status: 200,
        robots: 'noindex',
        canonical: undefined,
      });
    },
  );
});

describe('/sitemap.xml', () => {
  it('lists the public pages and every tool’s page, and is built once for concurrent requests', async () => {
    const other = id.replace(/1$/, '2');
    reply = (url) =>
      url.includes('cursor=next')
        ? { status: 200, body: { rentals: [{ id: other }], nextCursor: null } }
        : { status: 200, body: { rentals: [{ id }], nextCursor: 'next' } };

    const replies = await Promise.all([client.get('/sitemap.xml'), client.get('/sitemap.xml')]);

    const [{ status, headers, body }] = replies as [(typeof replies)[0], (typeof replies)[0]];
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('xml');
    const places = [...body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place]) => place);
    expect(places).toContain('https://lendtools.test/');
    expect(places).toContain('https://lendtools.test/how-it-works');
    expect(places.slice(-2)).toEqual([
      `https://lendtools.test/rental-details?id=${id}`,
      `https://lendtools.test/rental-details?id=${other}`,
    ]);
    expect(requestedUrls).toHaveLength(2);
  });
});

describe('the gateway, serving files for browsers and crawlers', () => {
  it('links the sitemap and disallows private paths in robots.txt', async () => {
    const { headers, body } = await client.get('/robots.txt');

    expect(headers.get('content-type')).toContain('text/plain');
    expect(body).toContain('Sitemap: https://lendtools.test/sitemap.xml');
    expect(body).toContain('Disallow: /admin/');
    expect(body).toContain('Allow: /api/images/');
  });

  it('serves the service worker with no-cache', async () => {
    const { headers } = await client.get('/sw.js');

    expect(headers.get('cache-control')).toBe('no-cache');
  });
});
