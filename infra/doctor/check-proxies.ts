import { readFile } from 'node:fs/promises';
import { type AddressSet, addressSet } from '../../gateway/src/trusted-proxies.ts';
import { isLoopback } from './check-surroundings.ts';
import type { Say, Subject } from './finding.ts';

/** Checks that clients can't forge their address, and that visitors behind a proxy don't share one rate limit. */
export async function checkProxies({ env }: Subject, say: Say): Promise<void> {
  const proxies = addressSet.safeParse(env.TRUSTED_PROXIES).data;
  if (!proxies) return;
  const routes = await readFile('/proc/net/route', 'utf8').catch(() => '');
  judgeProxies(say, {
    proxies,
    siteAddress: env.SITE_ADDRESS,
    isPublic: env.PUBLIC_URL?.startsWith('https:') ?? false,
    bridge: defaultGateway(routes),
  });
}

interface Situation {
  proxies: AddressSet;
  /** The address on which Compose publishes the site's port; undefined outside Compose. */
  siteAddress: string | undefined;
  /** True if the site is served over https, so that a proxy terminates TLS. */
  isPublic: boolean;
  bridge: string | undefined;
}

export function judgeProxies(
  say: Say,
  { proxies, siteAddress, isPublic, bridge }: Situation,
): void {
  const isPrivate = siteAddress !== undefined && isLoopback(siteAddress);
  const isOpen = siteAddress !== undefined && !isPrivate;
  if (isOpen && bridge !== undefined && proxies.has(bridge))
    say.wrong(
      `the port is open on ${siteAddress} while TRUSTED_PROXIES trusts ${bridge}, from which Docker forwards: clients can forge their address`,
      'Set SITE_ADDRESS=127.0.0.1, or trust only the address of the proxy itself.',
    );
  else if (isPublic && isPrivate && bridge !== undefined && !proxies.has(bridge))
    say.wrong(
      `the proxy on this machine connects from ${bridge}, which is not trusted: all visitors share the limits of one network`,
      `Set TRUSTED_PROXIES=${[bridge, ...proxies.networks].join(',')}.`,
    );
  else if (isPublic && proxies.networks.length === 0)
    say.wrong(
      'no proxy is trusted: behind the one that terminates TLS, all visitors share the limits of one network',
      'Set TRUSTED_PROXIES to its address.',
    );
  else say.fine(`X-Forwarded-For is trusted from ${proxies.networks.join(', ') || 'no proxy'}`);
}

/** Returns the default gateway in the content of `/proc/net/route`, whose addresses are in little-endian hex. */
export function defaultGateway(routes: string): string | undefined {
  const fields = routes.split('\n').map((line) => line.split('\t'));
  const hex = fields.find(([, destination]) => destination === '00000000')?.[2];
  const bytes = hex?.match(/../g)?.map((byte) => Number.parseInt(byte, 16));
  return bytes?.reverse().join('.');
}
