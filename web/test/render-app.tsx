import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { keepAccessToken } from '../src/api/access-token.ts';
import { type SessionUser, sessionStarted } from '../src/api/session-slice.ts';
import { App } from '../src/app/app.tsx';
import { createTestRouter } from '../src/app/router.tsx';
import { type AppStore, openStore } from '../src/app/store.ts';
import type { FakeApi } from './fake-api.ts';

/** Resolves the app's relative URLs against the fake server. */
function pointRequestsAt(origin: string): void {
  const NodeRequest = Request;
  class PageRequest extends NodeRequest {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, origin) : input, init);
    }
  }
  const plain = (Request as unknown as { plain?: typeof Request }).plain ?? NodeRequest;
  Object.assign(PageRequest, { plain });
  Object.assign(globalThis, { Request: PageRequest });
}

interface RenderOptions {
  api: FakeApi;
  /** The logged-in user; without one, the app runs for a visitor. */
  user?: SessionUser;
  prepare?: (store: AppStore) => void;
}

export async function renderApp(address: string, { api, user, prepare }: RenderOptions) {
  pointRequestsAt(api.origin);
  const store = await openStore();
  keepAccessToken(user ? 'access-token' : null);
  if (user) store.dispatch(sessionStarted(user));
  prepare?.(store);
  const router = createTestRouter(address);
  render(<App store={store} router={router} env="test" />);
  const here = () => router.state.location.pathname + router.state.location.search;
  return { store, router, here, user: userEvent.setup() };
}
