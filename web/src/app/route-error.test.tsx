import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router-dom';
import { reloadOnce } from '../lib/reload-once.ts';
import { RouteError } from './route-error.tsx';
import { namingFailure } from './screen-not-loaded.ts';

const rawWords = /Unexpected Application Error|Unable to preload|assets|TypeError/;

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function showFailure(lazy: RouteObject['lazy']) {
  const router = createMemoryRouter([{ path: '/', lazy, errorElement: <RouteError /> }]);
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  return screen.findByRole('alert');
}

const lost = namingFailure<never>(async () => {
  throw new TypeError('Unable to preload CSS for /assets/tool-page-y1wvNG7o.css');
});

function reloadTried() {
  sessionStorage.setItem('lendtools-reloaded-at', String(Date.now()));
}

describe('the error page of a screen whose code fails to load', () => {
  it('explains what to do, and hides the technical reason', async () => {
    reloadTried();

    const alert = await showFailure(lost);

    expect(alert).toHaveTextContent('This page didn’t load');
    expect(alert).not.toHaveTextContent(rawWords);
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Browse tools' })).toHaveAttribute('href', '/');
  });

  it('reports that the user is offline, and does not use up the one automatic reload', async () => {
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);

    const alert = await showFailure(lost);

    expect(alert).toHaveTextContent('You’re offline');
    expect(alert).not.toHaveTextContent(rawWords);
    expect(sessionStorage.length).toBe(0);
  });
});

describe('a screen that throws', () => {
  it('shows plain words instead of an exception’s message', async () => {
    const Component = () => {
      throw new TypeError('undefined is not a function');
    };

    const alert = await showFailure(() => Promise.resolve({ Component }));

    expect(alert).toHaveTextContent('Our mistake. Please reload.');
    expect(alert).not.toHaveTextContent(rawWords);
  });
});

describe('reloadOnce', () => {
  it('reloads the page once, never in a loop', () => {
    const reload = jest.fn();

    const tries = [reloadOnce(reload), reloadOnce(reload)];

    expect(tries).toEqual([true, false]);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('does not reload if storage is blocked', () => {
    for (const method of ['getItem', 'setItem'] as const)
      jest.spyOn(Storage.prototype, method).mockImplementation(() => {
        throw new DOMException('forbidden', 'SecurityError');
      });
    const reload = jest.fn();

    expect(reloadOnce(reload)).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });
});
