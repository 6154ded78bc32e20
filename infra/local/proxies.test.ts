import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isReachable } from './machine.mjs';
import { mavenOptions, proxyFor } from './proxies.mjs';

describe('proxyFor', () => {
  it('reads the proxy from the environment in upper or lower case', () => {
    const proxied = (env: Record<string, string>) => proxyFor('https://example.org/x', env)?.href;

    expect(proxied({ HTTPS_PROXY: 'http://proxy:3128' })).toBe('http://proxy:3128/');
    expect(proxied({ https_proxy: 'proxy:3128' })).toBe('http://proxy:3128/');
    expect(proxied({ ALL_PROXY: 'http://proxy:3128' })).toBe('http://proxy:3128/');
    expect(proxied({ HTTP_PROXY: 'http://proxy:3128' })).toBeUndefined();
    expect(proxied({})).toBeUndefined();
  });

  it.each(['example.org', '.example.org', '*.example.org', 'localhost, example.org:443', '*'])(
    'returns no proxy for a host excluded by NO_PROXY=%s',
    (excluded) => {
      const env = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: excluded };

      expect(proxyFor('https://www.example.org/', env)).toBeNull();
    },
  );

  it('returns the proxy for hosts that are not in NO_PROXY', () => {
    const env = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'example.org' };

    expect(proxyFor('https://badexample.org/', env)?.port).toBe('3128');
  });
});

describe('mavenOptions', () => {
  it('passes Maven the proxy with its user and the excluded hosts', () => {
    const env = {
      HTTPS_PROXY: 'http://jo:p%40ss@proxy.example:3128',
      NO_PROXY: 'localhost,.internal',
    };

    expect(mavenOptions(env)).toEqual([
      '-Dhttps.proxyHost=proxy.example',
      '-Dhttps.proxyPort=3128',
      '-Dhttps.proxyUser=jo',
      '-Dhttps.proxyPassword=p@ss',
      '-Dhttp.nonProxyHosts=localhost|*.internal',
      '-Daether.connector.http.useSystemProperties=true',
    ]);
  });

  it('passes Maven no options without a proxy', () => {
    expect(mavenOptions({})).toEqual([]);
  });
});

describe('isReachable', () => {
  let proxy: Server;
  let url: string;
  let requested: { host?: string; authorization?: string }[];
  let status: string;
  beforeEach(async () => {
    requested = [];
    status = '200 Connection established';
    proxy = createServer();
    proxy.on('connect', ({ url: host, headers }, socket) => {
      requested.push({ host, authorization: headers['proxy-authorization'] });
      socket.end(`HTTP/1.1 ${status}\r\n\r\n`);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    url = `http://jo:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    proxy.close();
  });

  it('connects through the proxy', async () => {
    const isThere = await isReachable('https://downloads.invalid', { HTTPS_PROXY: url });

    expect(isThere).toBe(true);
    expect(requested).toEqual([
      { host: 'downloads.invalid:443', authorization: `Basic ${btoa('jo:secret')}` },
    ]);
  });

  it('reports a host as unreachable if the proxy rejects the connection', async () => {
    status = '403 Forbidden';

    expect(await isReachable('https://downloads.invalid', { HTTPS_PROXY: url })).toBe(false);
  });

  it('reports a host as unreachable if neither host nor proxy answers', async () => {
    expect(await isReachable('https://downloads.invalid', {})).toBe(false);
    expect(
      await isReachable('https://downloads.invalid', { HTTPS_PROXY: 'http://127.0.0.1:9' }),
    ).toBe(false);
  });
});
