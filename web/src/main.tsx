import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createAppRouter } from './app/router.tsx';
import { openStore } from './app/store.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const store = await openStore();
createRoot(root).render(
  <StrictMode>
    <App store={store} router={createAppRouter()} />
  </StrictMode>,
);
