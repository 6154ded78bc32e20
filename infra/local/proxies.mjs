// Reads the proxy from HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in upper or lower case.

/** The proxy for a URL; null for a direct connection. */
export function proxyFor(address, env) {
  const { protocol, hostname } = new URL(address);
  const setting = (name) => env[name.toLowerCase()] || env[name];
  const given =
    setting(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? setting('ALL_PROXY');
  if (!given || isExcluded(hostname, excludedHosts(env))) return null;
  return new URL(/^\w+:\/\//.test(given) ? given : `http://${given}`);
}

/** Options that make Maven use the same proxy; it reads only Java properties and its own settings. */
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
