import { describe, expect, it } from '@jest/globals';
import { AddressSet } from '../../gateway/src/trusted-proxies.ts';
import { defaultGateway, judgeProxies } from './check-proxies.ts';

const bridge = '172.18.0.1';
const onThisMachine = '127.0.0.1';
const everywhere = '0.0.0.0';

function judge(trusted: string[], siteAddress: string | undefined, isPublic: boolean): string {
  let said = '';
  const say = {
    fine(says: string) {
      said = `ok: ${says}`;
    },
    wrong(says: string, todo: string) {
      said = `${says} → ${todo}`;
    },
  };
  judgeProxies(say, { proxies: new AddressSet(trusted), siteAddress, isPublic, bridge });
  return said;
}

describe('judgeProxies', () => {
  it.each<[string, string[], string | undefined, boolean, string]>([
    ['a trial on this machine', [], onThisMachine, false, 'ok: .* from no proxy'],
    ['a proxy on this machine', [bridge], onThisMachine, true, `ok: .* from ${bridge}`],
    ['a proxy on another machine', ['10.0.0.4'], '10.0.0.5', true, 'ok: .* from 10.0.0.4'],
    ['no Compose', ['10.0.0.4'], undefined, true, 'ok: .* from 10.0.0.4'],
  ])('accepts the proxy settings for %s', (_, trusted, siteAddress, isPublic, says) => {
    expect(judge(trusted, siteAddress, isPublic)).toMatch(new RegExp(`^${says}$`));
  });

  it.each<[string, string[], string | undefined, string]>([
    ['a forged address', ['172.16.0.0/12'], everywhere, 'clients can forge .* SITE_ADDRESS=127'],
    ['an untrusted proxy here', [], onThisMachine, `share .* TRUSTED_PROXIES=${bridge}`],
    [
      'a proxy whose network has changed',
      ['172.19.0.1'],
      onThisMachine,
      `share .* TRUSTED_PROXIES=${bridge},172.19.0.1`,
    ],
    ['an untrusted proxy elsewhere', [], everywhere, 'no proxy is trusted'],
    ['an untrusted proxy without Compose', [], undefined, 'no proxy is trusted'],
  ])('reports a proxy problem: %s', (_, trusted, siteAddress, says) => {
    expect(judge(trusted, siteAddress, true)).toMatch(new RegExp(says));
  });
});

describe('defaultGateway', () => {
  it('decodes the little-endian address in /proc/net/route', () => {
    const routes = `Iface\tDestination\tGateway\tFlags
eth0\t000012AC\t00000000\t0001
eth0\t00000000\t010012AC\t0003
`;

    expect(defaultGateway(routes)).toBe(bridge);
    expect(defaultGateway('')).toBeUndefined();
  });
});
