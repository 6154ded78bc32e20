// Uses only built-ins, because the bootstrap runs this before anything is installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { delimiter, join } from 'node:path';
import { proxyFor } from './proxies.mjs';

export function onPath(program, env = process.env) {
  return (
    (env.PATH ?? '')
      .split(delimiter)
      .map((folder) => join(folder, program))
      .find((path) => existsSync(path)) ?? null
  );
}

// Debian's wrapper in /usr/sbin switches to another user and node, so RabbitMQ's own script comes first.
const rabbitMqScripts = [
  '/usr/lib/rabbitmq/bin/rabbitmq-server',
  '/opt/homebrew/opt/rabbitmq/sbin/rabbitmq-server',
  '/usr/local/opt/rabbitmq/sbin/rabbitmq-server',
];

export function findRabbitMq(scripts = rabbitMqScripts, env = process.env) {
  return scripts.find((path) => existsSync(path)) ?? onPath('rabbitmq-server', env);
}

/** Returns Java's major version, or 0 without Java. Macs without Java have a `java` command that only prints where to get it. */
export function javaVersion() {
  try {
    const version = execFileSync('java', ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(/^\w+ (\d+)/.exec(version)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export function hasDocker() {
  const args = ['version', '--format', '{{.Server.Version}}'];
  return spawnSync('docker', args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
}

export function isWindowsDrive(folder, mounts = readMounts()) {
  const points = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, point]) => point && `${folder}/`.startsWith(point === '/' ? '/' : `${point}/`))
    .sort(([, a], [, b]) => b.length - a.length);
  const [source = '', , type, options = ''] = points[0] ?? [];
  return type === 'drvfs' || (type === '9p' && `${source},${options}`.includes('drvfs'));
}

function readMounts() {
  return existsSync('/proc/self/mounts') ? readFileSync('/proc/self/mounts', 'utf8') : '';
}

/** Connects through the environment's proxy if there is one. */
export async function isReachable(url, env = process.env) {
  const proxy = proxyFor(url, env);
  if (proxy) return opensTunnel(proxy, new URL(url));
  try {
    return (await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(3000) })).ok;
  } catch {
    return false;
  }
}

function opensTunnel(proxy, { hostname, port, protocol }) {
  const path = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const { username, password } = proxy;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = username
    ? { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }
    : {};
  return new Promise((resolve) => {
    const tunnel = request({
      host: proxy.hostname,
      port: proxy.port || 80,
      method: 'CONNECT',
      path,
      headers,
      timeout: 3000,
    });
    tunnel.once('connect', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode === 200);
    });
    tunnel.once('timeout', () => tunnel.destroy());
    tunnel.once('error', () => resolve(false));
    tunnel.once('close', () => resolve(false));
    tunnel.end();
  });
}
