import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createLogger, createPool } from '@lendtools/service-kit';
import autocannon from 'autocannon';
import type { Bench } from './bench-marketplace.ts';
import { cpuMs } from './cpu.ts';
import { inShort } from './effort.ts';
import { interleave, median, type Row } from './statistics.ts';

const page = '/api/all-rentals?limit=24';
const packed = { 'accept-encoding': 'gzip, deflate, br' };

const load = async (
  url: string,
  options: Partial<autocannon.Options> = { duration: inShort(4, 1) },
) => {
  const result = await autocannon({ url, connections: 10, ...options });
  if (result.errors + result.non2xx > 0)
    throw new Error(`${result.errors + result.non2xx} failures at ${url}`);
  return result;
};
const throughput = async (url: string) => (await load(url)).requests.average;

const requested = inShort(2_000, 200);

/** Returns the median latency of sequential requests. Not measured by autocannon, which reports only whole milliseconds. */
const latency = async (url: string): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < requested; i++) {
    const start = performance.now();
    await (await fetch(url)).arrayBuffer();
    times.push(performance.now() - start);
  }
  return median(times);
};

const requests = inShort(5_000, 500);

/** Returns each process's CPU time per request, in milliseconds. */
const cpuEach = async (
  url: string,
  pids: number[],
  headers: Record<string, string> = {},
): Promise<number[]> => {
  const before = pids.map(cpuMs);
  await load(url, { amount: requests, headers });
  return pids.map((pid, i) => (cpuMs(pid) - (before[i] as number)) / requests);
};

const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);

/** Returns the compressed size of a reply. */
const bytesOf = (url: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { headers }, (reply) => {
      let bytes = 0;
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      reply.on('end', () => resolve(bytes));
    })
      .on('error', reject)
      .end();
  });

const startBare = async (bench: Bench) => {
  const { rentals } = (await (await fetch(`${bench.site}${page}`)).json()) as { rentals: object[] };
  const pool = createPool(bench.databases.catalog as string, createLogger('bench', 'warn'));
  await pool.query(`CREATE TABLE bare_tools (id int PRIMARY KEY, json text NOT NULL)`);
  await pool.query(
    `INSERT INTO bare_tools SELECT -n, json FROM unnest($1::text[]) WITH ORDINALITY each(json, n)`,
    [rentals.map((tool) => JSON.stringify(tool))],
  );
  await pool.query('ANALYZE bare_tools');
  await pool.end();
  const server = fork(new URL('./bare-browse-server.ts', import.meta.url), [
    bench.databases.catalog as string,
  ]);
  const [port] = (await once(server, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/page`,
    pid: server.pid as number,
    stop: () => server.kill(),
  };
};

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)} %`;

/**
 * Compares requests per second: for a page of 24 tools against the same bytes from bare Express and pg, and for
 * 100,000 tools against 10,000.
 */
export const benchBrowse = async (small: Bench, large: Bench): Promise<Row[]> => {
  const bare = await startBare(large);
  const urls = {
    bare: bare.url,
    catalog: `${large.urlOf('catalog')}${page}`,
    gateway: `${large.site}${page}`,
    small: `${small.site}${page}`,
  };
  for (const url of Object.values(urls)) await throughput(url);

  const perSecond = await interleave({
    bare: () => throughput(urls.bare),
    catalog: () => throughput(urls.catalog),
    gateway: () => throughput(urls.gateway),
    small: () => throughput(urls.small),
  });
  const ms = await interleave({
    catalog: () => latency(urls.catalog),
    gateway: () => latency(urls.gateway),
  });
  const [gateway, catalog, postgres] = ['gateway', 'catalog', 'postgres'].map(large.pidOf) as [
    number,
    number,
    number,
  ];
  const ofBare = await cpuEach(urls.bare, [bare.pid, postgres]);
  const ofPage = await cpuEach(urls.gateway, [gateway, catalog, postgres]);
  const ofPacked = await cpuEach(urls.gateway, [gateway, catalog, postgres], packed);
  const [bytes, allBytes] = [await bytesOf(urls.gateway, packed), await bytesOf(urls.gateway, {})];
  bare.stop();

  const compare = (one: keyof typeof perSecond, other: keyof typeof perSecond): string =>
    `${percent(perSecond[one], perSecond[other])} (${perSecond[one].toFixed(0)} : ${perSecond[other].toFixed(0)})`;
  const parts = (times: number[]): string =>
    `${sum(times).toFixed(2)} ms (${times.map((each) => each.toFixed(2)).join(' + ')})`;
  return [
    {
      name: 'Browse, catalog : bare Express + pg with the same bytes, requests/s',
      measured: compare('catalog', 'bare'),
      bound: '≥ 70 %',
      kept: perSecond.catalog / perSecond.bare >= 0.7,
    },
    {
      name: 'Browse, through the gateway : the same bare page, requests/s',
      measured: compare('gateway', 'bare'),
      bound: '≥ 45 %',
      kept: perSecond.gateway / perSecond.bare >= 0.45,
    },
    {
      name: 'CPU of a browse, gateway + catalog + PostgreSQL',
      measured: `${parts(ofPage)}; packed ${parts(ofPacked)}; bare page and its PostgreSQL ${parts(ofBare)}`,
      bound: '≤ 0.5 ms',
      kept: sum(ofPage) <= 0.5,
    },
    {
      name: 'Browse, what the gateway adds at the median',
      measured: `${(ms.gateway - ms.catalog).toFixed(2)} ms (${ms.gateway.toFixed(2)} − ${ms.catalog.toFixed(2)})`,
      bound: '≤ 0.25 ms',
      kept: ms.gateway - ms.catalog <= 0.25,
    },
    {
      name: 'Browse, bytes of the page as browsers ask for it',
      measured: `${bytes} (${allBytes} unpacked)`,
      bound: '≤ 5000',
      kept: bytes <= 5_000,
    },
    {
      name: 'Browse through the gateway, 100,000 : 10,000 tools, requests/s',
      measured: compare('gateway', 'small'),
      bound: '≥ 90 %',
      kept: perSecond.gateway / perSecond.small >= 0.9,
    },
  ];
};
