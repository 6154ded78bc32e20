import { type ChildProcess, execFileSync, spawn } from 'node:child_process';

/** The host's address, and the one at which it reaches servers on this machine's loopback. */
const address = '10.231.7.2';
const gateway = '10.231.7.1';
const [name, outside, inside] = ['lendtools-host', 'lt-outside', 'lt-inside'];

/**
 * A simulated host: a network namespace, connected to this machine by a veth pair. Dropping its packets makes the host
 * or a server vanish without FIN or RST.
 */
interface NetworkHost {
  address: string;
  gateway: string;
  start(command: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess;
  /** Drops the packets to and from a port of this machine; without one, all packets. */
  drop(port?: number): void;
  restore(): void;
  remove(): void;
}

const run = (...[command = '', ...args]: string[]): void =>
  void execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
const runQuietly = (...[command = '', ...args]: string[]): void => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
  } catch {
    // It did not exist.
  }
};

export const createNetworkHost = (ports: number[]): NetworkHost => {
  const nft = (rules: string): void =>
    void execFileSync('nft', ['-f', '-'], { input: rules, stdio: ['pipe', 'ignore', 'inherit'] });
  const nftInside = (rules: string): void =>
    void execFileSync('ip', ['netns', 'exec', name, 'nft', '-f', '-'], {
      input: rules,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
  const remove = (): void => {
    runQuietly('nft', 'delete', 'table', 'ip', name);
    runQuietly('ip', 'link', 'delete', outside);
    runQuietly('ip', 'netns', 'delete', name);
  };

  remove();
  run('ip', 'netns', 'add', name);
  run('ip', 'link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', name);
  run('ip', 'address', 'add', `${gateway}/30`, 'dev', outside);
  run('ip', 'link', 'set', outside, 'up');
  for (const command of [
    ['address', 'add', `${address}/30`, 'dev', inside],
    ['link', 'set', inside, 'up'],
    ['link', 'set', 'lo', 'up'],
  ])
    run('ip', '-n', name, ...command);
  // The servers listen on loopback and accept only clients from loopback, so both addresses are translated.
  run('sysctl', '-q', '-w', `net.ipv4.conf.${outside}.route_localnet=1`);
  nft(`table ip ${name} {
    chain prerouting {
      type nat hook prerouting priority dstnat;
      iifname "${outside}" ip daddr ${gateway} tcp dport { ${ports.join(', ')} } dnat to 127.0.0.1
    }
    chain input {
      type nat hook input priority 100;
      iifname "${outside}" ip daddr 127.0.0.1 snat to 127.0.0.1
    }
  }`);

  return {
    address,
    gateway,
    start: (command, args, env) =>
      spawn('ip', ['netns', 'exec', name, command, ...args], {
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    drop(port) {
      const [from, to] = port
        ? [`tcp sport ${port} drop`, `tcp dport ${port} drop`]
        : ['drop', 'drop'];
      nftInside(`table inet dropped {
        chain input {
          type filter hook input priority filter;
          iifname "${inside}" ${from}
        }
        chain output {
          type filter hook output priority filter;
          oifname "${inside}" ${to}
        }
      }`);
    },
    restore: () => nftInside('delete table inet dropped'),
    remove,
  };
};
