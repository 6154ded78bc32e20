// The build inlines this script, because loading a file would delay the first paint; the CSP allows the script by its hash.
import * as at from '@lendtools/contracts/endpoints';
import * as pages from '@lendtools/contracts/pages';
import { call } from './api/call.ts';
import type {} from './api/first-call.ts';
import { readKept } from './lib/kept.ts';
import { reloadOnce } from './lib/reload-once.ts';
import { browserStorage } from './lib/storage.ts';

// Set the color scheme before the first paint, so that a dark page never flashes white.
try {
  const stored = browserStorage.getItem('mantine-color-scheme-value') || 'auto';
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = stored === 'auto' ? (dark ? 'dark' : 'light') : stored;
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
} catch {
  document.documentElement.setAttribute('data-mantine-color-scheme', 'light');
}

// Send a visitor's first request before the app loads (see api/first-call.ts). A member's request would need a token.
try {
  const { pathname, searchParams } = new URL(location.href);
  const paramNames = [...searchParams.keys()].join();
  const session = readKept<{ session?: string }>('state')?.session ?? '';
  const isMember = session.includes('"loggedIn":true');
  let path: string | undefined;
  const id = searchParams.get('id');
  if (pathname === pages.tool && paramNames === 'id' && id) {
    path = call(at.getTool, { params: { id } }).url;
  } else if (
    (pathname === pages.home || pathname === pages.browse) &&
    /^q?$/.test(paramNames) &&
    // With a stored place the app sends a different request.
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
  // If sending early failed, the app sends the request itself.
}

// If a file of the app fails to load, reloads the page once, then shows the error.
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
