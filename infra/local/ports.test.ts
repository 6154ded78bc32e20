import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ports } from './ports.ts';
import { chooseSitePort } from './site-port.ts';

let home: string;
let servers: Server[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lendtools-ports-'));
});

afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
  rmSync(home, { recursive: true });
});

async function listen(port: number): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('Ports', () => {
  it('picks different ports, even concurrently', async () => {
    const ports = new Ports(home);

    const picked = await Promise.all(['a', 'b', 'c', 'd'].map((name) => ports.pick(name)));

    expect(new Set(picked).size).toBe(4);
  });

  it('picks the same ports at the next start', async () => {
    const first = await new Ports(home).pick('postgres');

    expect(await new Ports(home).pick('postgres')).toBe(first);
  });

  it('replaces a port that another program has taken', async () => {
    const first = await new Ports(home).pick('postgres');
    await listen(first);

    const second = await new Ports(home).pick('postgres');

    expect(second).not.toBe(first);
    expect(await new Ports(home).pick('postgres')).toBe(second);
  });
});

describe("the site's port", () => {
  it('is rejected if another process uses it, with a message that names the process', async () => {
    const taken = await listen(0);

    const choice = chooseSitePort({ requested: taken, ports: new Ports(home), say: () => {} });

    const process_ = `pid ${process.pid}`;
    await expect(choice).rejects.toThrow(new RegExp(`Port ${taken} is taken by .*${process_}`));
  });

  it('is any free port if 0 is requested', async () => {
    const port = await chooseSitePort({ requested: 0, ports: new Ports(home), say: () => {} });

    expect(port).toBeGreaterThan(1024);
  });
});
