import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createAppRouter } from './app/router.tsx';
import { openStore } from './app/store.ts';
import { whenUsed } from './lib/when-used.ts';

/** Resolves when the router has loaded the first screen. Until then the placeholder of index.html stays. */
function firstScreen({ state, subscribe }: ReturnType<typeof createAppRouter>): Promise<void> {
  if (state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}

/** Enables the app's stylesheet once it has loaded (see build/style-beside.ts), so that no page shows unstyled. */
async function appStyle(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"][media="print"]');
  if (!link) return;
  if (!link.sheet) await new Promise((resolve) => link.addEventListener('load', resolve));
  link.media = 'all';
}

/** Lets the browser handle input between the steps of the start, each of which takes 0.1 s on a slow phone. */
function nextTask() {
  return new Promise((resolve) => setTimeout(resolve));
}

// Don't await this at the top level: the pages' chunks import this module, and would wait for it to finish.
async function start(root: HTMLElement): Promise<void> {
  await nextTask();
  const router = createAppRouter();
  await nextTask();
  const store = await openStore();
  await Promise.all([firstScreen(router), appStyle()]);
  // A transition renders in slices, so that a slow phone can respond to input between them.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App store={store} router={router} />
      </StrictMode>,
    ),
  );
}

/** Registers the service worker, which only serves the offline page, after the first interaction. */
async function registerOfflinePage(): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  await whenUsed();
  await navigator.serviceWorker.register('/sw.js').catch(() => undefined);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
void start(root).then(registerOfflinePage);
