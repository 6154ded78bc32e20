/** Returns the proxy for an address, or null for a direct connection. The variables may be in upper or lower case. */
export function proxyFor(address, env) {
  const { protocol, hostname } = new URL(address);
  const setting = (name) => env[name.toLowerCase()] || env[name];
  const given =
    setting(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? setting('ALL_PROXY');
  if (!given || isExcluded(hostname, excludedHosts(env))) return null;
  return new URL(/^\w+:\/\//.test(given) ? given : `http://${given}`);
}

/** Returns the proxy as Java properties, because Maven does not read it from the environment. */
export function mavenOptions(env) {
  const proxy = proxyFor('https://repo.maven.apache.org', env);
  if (!proxy) return [];
  const options = {
    'https.proxyHost': proxy.hostname,
    'https.proxyPort': proxy.port || '80',
    'https.proxyUser': decodeURIComponent(proxy.username),
    'https.proxyPassword': decodeURIComponent(proxy.password),
    'http.nonProxyHosts': excludedHosts(env)
      .map((host) => (host.startsWith('.') ? `*${host}` : host))
      .join('|'),
    // Without this option Maven 3.9 and newer ignore the proxy properties.
    'aether.connector.http.useSystemProperties': 'true',
  };
  return Object.entries(options)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `-D${name}=${value}`);
}

function excludedHosts(env) {
  return (env.no_proxy || env.NO_PROXY || '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((host) => host.replace(/:\d+$/, '').replace(/^\*\./, '.'));
}

function isExcluded(hostname, hosts) {
  return hosts.some(
    (host) => host === '*' || hostname === host || hostname.endsWith(`.${host.replace(/^\./, '')}`),
  );
}
