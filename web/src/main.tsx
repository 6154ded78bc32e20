import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createAppRouter } from './app/router.tsx';
import { openStore } from './app/store.ts';
import { whenUsed } from './lib/when-used.ts';

/** Until the first screen has come, index.html's own picture of it stays. */
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

/** Turns the app's style on when it has come (build/style-beside.ts); without it a screen would show bare. */
async function appStyle(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"][media="print"]');
  if (!link) return;
  if (!link.sheet) await new Promise((resolve) => link.addEventListener('load', resolve));
  link.media = 'all';
}

/** Lets the browser answer a touch: on a slow phone each part of the start takes a tenth of a second. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

// Not awaited here: a screen's file imports this one's, and would wait for it to end.
async function start(root: HTMLElement): Promise<void> {
  await nextTask();
  const router = createAppRouter();
  await nextTask();
  const store = await openStore();
  await Promise.all([firstScreen(router), appStyle()]);
  // A transition is rendered in slices, between which a slow phone answers a touch.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App store={store} router={router} />
      </StrictMode>,
    ),
  );
}

/** For a page that says "You’re offline", and for that alone; nobody misses it before the screen is there. */
async function registerOfflinePage(): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  await whenUsed();
  await navigator.serviceWorker.register('/sw.js').catch(() => undefined);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
void start(root).then(registerOfflinePage);
