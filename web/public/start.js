// Runs before the first paint. It is a file and not an inline script because the content security
// policy allows scripts from this site alone, and plain because nothing else may have to come for it.

// A dark page must never flash white.
try {
  const stored = localStorage.getItem('mantine-color-scheme-value') || 'auto';
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = stored === 'auto' ? (dark ? 'dark' : 'light') : stored;
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
} catch {
  document.documentElement.setAttribute('data-mantine-color-scheme', 'light');
}

// The app's style, which the first paint does not wait for. A window hears nothing of what its files load.
document.addEventListener(
  'load',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.media === 'print') target.media = 'all';
  },
  true,
);

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
