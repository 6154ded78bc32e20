// Runs before the first paint, so that a dark page never flashes white. It is a file and not an
// inline script because the content security policy allows scripts from this site alone.
try {
  const stored = localStorage.getItem('mantine-color-scheme-value') || 'auto';
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = stored === 'auto' ? (dark ? 'dark' : 'light') : stored;
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
} catch {
  document.documentElement.setAttribute('data-mantine-color-scheme', 'light');
}
