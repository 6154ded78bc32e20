// Runs before the first paint. The build puts it into the page itself, which the gateway's content security policy allows
// by its hash: as a file it would hold the first paint up for a round trip.
import { fillPath } from '@lendtools/contracts/call';
import * as at from '@lendtools/contracts/endpoints';
import * as pages from '@lendtools/contracts/pages';
import type {} from './api/first-call.ts';

// A dark page must never flash white.
try {
  const stored = localStorage.getItem('mantine-color-scheme-value') || 'auto';
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = stored === 'auto' ? (dark ? 'dark' : 'light') : stored;
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
} catch {
  document.documentElement.setAttribute('data-mantine-color-scheme', 'light');
}

// What a visitor's page shows first is asked for at once; the app, which is still on its way, takes the reply (api/first-call.ts).
// A member's calls carry a token, which only the app can get.
try {
  const { pathname, searchParams } = new URL(location.href);
  const asked = [...searchParams.keys()].join();
  const kept = localStorage.getItem('lendtools-session-user:state') ?? '';
  const isMember = /"loggedIn\\*":true/.test(kept);
  const pathOf = (endpoint: string) => endpoint.split(' ')[1] ?? '';
  let path: string | undefined;
  if (pathname === pages.tool && asked === 'id') {
    path = fillPath(pathOf(at.getTool), { id: searchParams.get('id') ?? '' });
  } else if (
    (pathname === pages.home || pathname === pages.browse) &&
    /^q?$/.test(asked) &&
    // Whoever has told a place is asked about with it.
    !localStorage.getItem('lendtools-session-user:place')
  ) {
    searchParams.append('limit', '20');
    path = `${pathOf(at.allRentals)}?${searchParams}`;
  }
  if (path && !isMember) {
    const url = location.origin + path;
    window.firstCall = { url, reply: fetch(url).catch(() => null) };
  }
} catch {
  // The app asks by itself.
}

// A file of the app that can't be fetched: the page loads again by itself once, then says so. `reloadOnce` in
// lib/reload-once.ts keeps the same key.
addEventListener(
  'error',
  ({ target }) => {
    const isFile = target instanceof HTMLScriptElement || target instanceof HTMLLinkElement;
    if (!isFile || !document.querySelector('.first')) return;
    if (target instanceof HTMLLinkElement && target.rel !== 'stylesheet') return;
    try {
      const last = Number(sessionStorage.getItem('lendtools-reloaded-at'));
      if (navigator.onLine && Date.now() - last > 300_000) {
        sessionStorage.setItem('lendtools-reloaded-at', String(Date.now()));
        location.reload();
        return;
      }
    } catch {
      // Without a memory it would load again for ever.
    }
    document.documentElement.setAttribute('data-start-failed', '');
  },
  true,
);
