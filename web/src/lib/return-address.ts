import * as paths from '@lendtools/contracts/pages';

/** The login page, with the way back in its address: it survives a reload and a detour to sign-up. */
export function loginAddress(next: string, login: string = paths.login): string {
  return `${login}?next=${encodeURIComponent(next)}`;
}

/**
 * Where to go after login. Only paths of this site are followed: `//elsewhere`, `/\elsewhere` or, as
 * browsers drop tabs from addresses, `/<tab>/elsewhere` in a crafted link would lead a freshly
 * logged-in person away. Hence it is read as the browser would, and only its path is kept.
 */
export function returnAddress(search: URLSearchParams, fallback: string): string {
  const next = search.get('next') ?? '';
  const { origin } = window.location;
  const url = next.startsWith('/') && URL.canParse(next, origin) ? new URL(next, origin) : null;
  // `/.//elsewhere` is of this site, but its path alone would not be.
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return fallback;
  return url.pathname + url.search + url.hash;
}
