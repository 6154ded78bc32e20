/** The login page, with the way back in its address: it survives a reload and a detour to sign-up. */
export function loginAddress(next: string): string {
  return `/user-login?next=${encodeURIComponent(next)}`;
}

/**
 * Where to go after login. Only addresses of this site are followed: `//elsewhere` or `/\elsewhere`
 * in a crafted link would lead a freshly logged-in person away.
 */
export function returnAddress(search: URLSearchParams, fallback: string): string {
  const next = search.get('next') ?? '';
  return /^\/(?![/\\])/.test(next) ? next : fallback;
}
