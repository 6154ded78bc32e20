// Shows the offline page when a navigation fails. Nothing else is cached, so a reload always gets the new version.
const kept = 'offline-1';
const page = '/offline.html';

addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(kept).then((cache) => cache.add(new Request(page, { cache: 'reload' }))),
  );
  skipWaiting();
});

const takeOver = async () => {
  for (const name of await caches.keys()) if (name !== kept) await caches.delete(name);
  // Lets the browser send the navigation request while this worker starts.
  await registration.navigationPreload?.enable();
};
addEventListener('activate', (event) => event.waitUntil(takeOver()));

const answer = async ({ request, preloadResponse }) => {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const offline = await caches.match(page);
    if (offline) return offline;
    throw error;
  }
};
const isPage = ({ mode, method, url }) =>
  mode === 'navigate' && method === 'GET' && !new URL(url).pathname.startsWith('/api/');
addEventListener('fetch', (event) => {
  if (isPage(event.request)) event.respondWith(answer(event));
});
