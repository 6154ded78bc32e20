import autocannon from 'autocannon';
import type { Bench } from './bench-marketplace.ts';
import { interleave, type Row } from './statistics.ts';

const page = '/api/all-rentals?limit=24';

const load = async (url: string, connections: number) => {
  const result = await autocannon({ url: `${url}${page}`, connections, duration: 4 });
  if (result.errors + result.non2xx > 0)
    throw new Error(`${result.errors + result.non2xx} failures at ${url}`);
  return result;
};
const throughput = async (url: string) => (await load(url, 10)).requests.average;

/** Milliseconds of the middle request of 2,000, one after another: autocannon counts whole milliseconds only. */
const latency = async (url: string): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < 2_000; i++) {
    const start = performance.now();
    await (await fetch(`${url}${page}`)).arrayBuffer();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[1_000] as number;
};

/** The browse page of 24: through the gateway against catalog itself, and at 100,000 tools against 10,000. */
export const benchBrowse = async (small: Bench, large: Bench): Promise<Row[]> => {
  const direct = { small: small.urlOf('catalog'), large: large.urlOf('catalog') };
  for (const url of [small.site, large.site, direct.small, direct.large]) await throughput(url);

  const perSecond = await interleave({
    smallDirect: () => throughput(direct.small),
    smallGateway: () => throughput(small.site),
    largeDirect: () => throughput(direct.large),
    largeGateway: () => throughput(large.site),
  });
  const ms = await interleave({
    direct: () => latency(direct.large),
    gateway: () => latency(large.site),
  });

  const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)} %`;
  const gatewayShare = perSecond.largeGateway / perSecond.largeDirect;
  const growth = perSecond.largeGateway / perSecond.smallGateway;
  return [
    {
      name: 'Browse at 100,000 tools, gateway : catalog, requests/s',
      measured: `${share(perSecond.largeGateway, perSecond.largeDirect)} (${perSecond.largeGateway.toFixed(0)} : ${perSecond.largeDirect.toFixed(0)})`,
      bound: '≥ 80 %',
      kept: gatewayShare >= 0.8,
    },
    {
      name: 'Browse at 10,000 tools, gateway : catalog, requests/s',
      measured: `${share(perSecond.smallGateway, perSecond.smallDirect)} (${perSecond.smallGateway.toFixed(0)} : ${perSecond.smallDirect.toFixed(0)})`,
      bound: '≥ 80 %',
      kept: perSecond.smallGateway / perSecond.smallDirect >= 0.8,
    },
    {
      name: 'Browse, what the gateway adds at the median',
      measured: `${(ms.gateway - ms.direct).toFixed(2)} ms (${ms.gateway.toFixed(2)} − ${ms.direct.toFixed(2)})`,
      bound: '≤ 0.30 ms',
      kept: ms.gateway - ms.direct <= 0.3,
    },
    {
      name: 'Browse through the gateway, 100,000 : 10,000 tools, requests/s',
      measured: share(perSecond.largeGateway, perSecond.smallGateway),
      bound: '≥ 90 %',
      kept: growth >= 0.9,
    },
  ];
};
