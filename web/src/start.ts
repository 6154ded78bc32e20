// Runs before the first paint. The build puts it into the page itself, which the gateway's content security policy allows
// by its hash: as a file it would hold the first paint up for a round trip.
import * as at from '@lendtools/contracts/endpoints';
import * as pages from '@lendtools/contracts/pages';
import { call } from './api/call.ts';
import type {} from './api/first-call.ts';
import { readKept } from './lib/kept.ts';
import { reloadOnce } from './lib/reload-once.ts';
import { browserStorage } from './lib/storage.ts';

// A dark page must never flash white.
try {
  const stored = browserStorage.getItem('mantine-color-scheme-value') || 'auto';
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
  const session = readKept<{ session?: string }>('state')?.session ?? '';
  const isMember = session.includes('"loggedIn":true');
  let path: string | undefined;
  const id = searchParams.get('id');
  if (pathname === pages.tool && asked === 'id' && id) {
    path = call(at.getTool, { params: { id } }).url;
  } else if (
    (pathname === pages.home || pathname === pages.browse) &&
    /^q?$/.test(asked) &&
    // Whoever has told a place is asked about with it.
    !readKept('place')
  ) {
    searchParams.append('limit', '20');
    path = `${call(at.allRentals).url}?${searchParams}`;
  }
  if (path && !isMember) {
    const url = location.origin + path;
    window.firstCall = { url, reply: fetch(url).catch(() => null) };
  }
} catch {
  // The app asks by itself.
}

// A file of the app that can't be fetched: the page loads again by itself once, then says so.
addEventListener(
  'error',
  ({ target }) => {
    const isFile = target instanceof HTMLScriptElement || target instanceof HTMLLinkElement;
    if (!isFile || !document.querySelector('.first')) return;
    if (target instanceof HTMLLinkElement && target.rel !== 'stylesheet') return;
    if (!reloadOnce()) document.documentElement.setAttribute('data-start-failed', '');
  },
  true,
);
