import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { createMemoryRouter, Link, RouterProvider, useLocation } from 'react-router-dom';
import { followHistory } from './overlay-history.ts';
import { useBackCloses } from './use-back-closes.ts';

function Sheet({ name }: { name: string }) {
  const [opened, setOpened] = useState(false);
  useBackCloses(opened, () => setOpened(false));
  return opened ? (
    <section aria-label={name}>
      <button type="button" onClick={() => setOpened(false)}>
        Close {name}
      </button>
      <Link to="/elsewhere" onClick={() => setOpened(false)}>
        Leave {name}
      </Link>
    </section>
  ) : (
    <button type="button" onClick={() => setOpened(true)}>
      Open {name}
    </button>
  );
}

function Screen() {
  const { pathname, search } = useLocation();
  return (
    <>
      <h1>{pathname + search}</h1>
      <Sheet name="dates" />
      <Sheet name="gallery" />
    </>
  );
}

type Entries = NonNullable<Parameters<typeof createMemoryRouter>[1]>['initialEntries'];

function start(initialEntries: Entries = ['/before', '/tool']) {
  const router = createMemoryRouter([{ path: '*', element: <Screen /> }], { initialEntries });
  followHistory(router);
  render(<RouterProvider router={router} />);
  return router;
}

let router: ReturnType<typeof start>;
const user = userEvent.setup();

function press(name: string) {
  return user.click(screen.getByRole('button', { name }));
}

function go(steps: number) {
  return act(() => router.navigate(steps));
}

function shown() {
  return screen.queryAllByRole('region').map((one) => one.getAttribute('aria-label'));
}

function expectScreen(address: string, overlays: string[] = []) {
  return waitFor(() => {
    expect(screen.getByRole('heading')).toHaveTextContent(address);
    expect(shown()).toEqual(overlays);
  });
}

function expectNoTrace() {
  return waitFor(() => expect(router.state.location.state?.overlays ?? []).toEqual([]));
}

describe('Back', () => {
  beforeEach(() => {
    router = start();
  });

  it('closes the overlay, and leaves the screen when pressed again', async () => {
    await press('Open dates');
    await expectScreen('/tool', ['dates']);

    await go(-1);
    await expectScreen('/tool');
    await go(-1);
    await expectScreen('/before');
  });

  it('leaves the screen at the first press after an overlay was closed by its button', async () => {
    await press('Open dates');
    await press('Close dates');
    await expectNoTrace();

    await go(-1);
    await expectScreen('/before');
  });

  it('closes several overlays one by one, the newest first', async () => {
    await press('Open dates');
    await press('Open gallery');
    await expectScreen('/tool', ['dates', 'gallery']);

    await go(-1);
    await expectScreen('/tool', ['dates']);
    await go(-1);
    await expectScreen('/tool');
    await go(-1);
    await expectScreen('/before');
  });

  it('does not reopen the overlay after a link in the overlay was followed', async () => {
    await press('Open dates');
    await user.click(screen.getByRole('link'));
    await expectScreen('/elsewhere');

    await go(-1);
    await expectScreen('/tool');
    await expectNoTrace();
    await go(-1);
    await expectScreen('/before');
  });

  it('closes the overlay even after the screen has changed its URL', async () => {
    await press('Open dates');
    await act(() => router.navigate('/tool?days=2', { replace: true }));
    await expectScreen('/tool?days=2', ['dates']);

    await go(-1);
    await expectScreen('/tool?days=2');
  });

  it('closes an overlay that replaced another', async () => {
    await press('Open dates');
    await press('Close dates');
    await press('Open gallery');
    await expectScreen('/tool', ['gallery']);

    await go(-1);
    await expectScreen('/tool');
    await expectNoTrace();
    await go(-1);
    await expectScreen('/before');
  });
});

it('does not reopen a closed overlay on Forward', async () => {
  router = start();
  await press('Open dates');
  await go(-1);
  await expectScreen('/tool');

  await go(1);

  await expectNoTrace();
  await expectScreen('/tool');
});

it('removes an overlay’s history entry after a reload, and keeps the screen', async () => {
  router = start(['/before', '/tool', { pathname: '/tool', state: { overlays: ['gone'] } }]);

  await expectNoTrace();
  await expectScreen('/tool');
});
