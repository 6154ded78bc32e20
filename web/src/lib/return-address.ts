import * as paths from '@lendtools/contracts/pages';

/** The login page with the return URL as a query parameter, which survives a reload and a detour to sign-up. */
export function loginAddress(next: string, login: string = paths.login): string {
  return `${login}?next=${encodeURIComponent(next)}`;
}

/**
 * The URL to open after login. A crafted link could contain `//elsewhere`, `/\elsewhere` or `/<tab>/elsewhere`, so
 * parse it as the browser would, and use only path, query and hash.
 */
export function returnAddress(search: URLSearchParams, fallback: string): string {
  const next = search.get('next') ?? '';
  const { origin } = window.location;
  const url = next.startsWith('/') && URL.canParse(next, origin) ? new URL(next, origin) : null;
  // `/.//elsewhere` has our origin, but its path `//elsewhere` is a URL of another site.
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return fallback;
  return url.pathname + url.search + url.hash;
}
