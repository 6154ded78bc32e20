import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as pages from '@lendtools/contracts/pages';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { FakeApi } from '../../test/fake-api.ts';
import { rita } from '../../test/people-and-tools.ts';
import { renderApp } from '../../test/render-app.tsx';

const names = ['localStorage', 'sessionStorage'] as const;
const descriptors = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({ 'POST /api/logout': () => ({ message: 'Logged out' }) });
  // Simulates a browser whose user blocks site data.
  for (const name of names)
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
});
afterEach(() => api.stop());

/** Makes storage available again. Must run before the shared `afterEach` hooks, which clear the storage. */
function allowStorage() {
  cleanup();
  names.forEach((name, i) => {
    Object.defineProperty(globalThis, name, descriptors[i] as PropertyDescriptor);
  });
}

const screens = Object.values(pages).filter((path) => typeof path === 'string');

describe('the app in a browser that blocks storage', () => {
  it.each(screens)('opens %s', async (path) => {
    try {
      await renderApp(`${path}?id=0190b000-0000-7000-8000-000000000001`, {
        api,
        user: { ...rita, role: 'Admin' },
      });

      await screen.findByRole('main');
      expect(screen.queryByText('Our mistake. Please reload.')).toBeNull();
    } finally {
      allowStorage();
    }
  });

  it('logs out on the server and leaves the member area', async () => {
    try {
      const app = await renderApp('/user/my-profile', { api, user: rita });

      await app.user.click(await screen.findByRole('button', { name: 'Rita' }));
      await app.user.click(await screen.findByRole('menuitem', { name: 'Logout' }));

      await waitFor(() => expect(app.here()).toBe('/'));
      expect(api.calls('POST /api/logout')).toHaveLength(1);
      expect(app.store.getState().session.user).toBeNull();
    } finally {
      allowStorage();
    }
  });
});
