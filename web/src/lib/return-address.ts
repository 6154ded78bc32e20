import * as paths from '@lendtools/contracts/pages';

/** The login page with the return address as a query parameter, which survives a reload and a detour to sign-up. */
export function loginAddress(next: string, login: string = paths.login): string {
  return `${login}?next=${encodeURIComponent(next)}`;
}

/**
 * The address to open after login. Only paths of this site are allowed, against open redirects: a crafted link could
 * contain `//elsewhere`, `/\elsewhere` or `/<tab>/elsewhere` (browsers remove tabs from addresses). So the address is
 * parsed as the browser would parse it, and only its path, query and hash are used.
 */
export function returnAddress(search: URLSearchParams, fallback: string): string {
  const next = search.get('next') ?? '';
  const { origin } = window.location;
  const url = next.startsWith('/') && URL.canParse(next, origin) ? new URL(next, origin) : null;
  // `/.//elsewhere` has our origin, but its path `//elsewhere` is an address of another site.
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return fallback;
  return url.pathname + url.search + url.hash;
}
