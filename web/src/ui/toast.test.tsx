import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { FakeApi } from '../../test/fake-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { toastError, toastSuccess } from './toast.ts';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({});
});
afterEach(() => api.stop());

describe('a toast', () => {
  it('is shown at once, however many are open', async () => {
    await renderApp('/benefits', { api });
    const shown = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent);

    for (let i = 1; i <= 5; i++) act(() => toastError(`Failure ${i}`));
    await waitFor(() => expect(shown()).toEqual(['Failure 3', 'Failure 4', 'Failure 5']));

    act(() => toastSuccess('Category deleted successfully'));
    await waitFor(() => expect(shown().at(-1)).toBe('Category deleted successfully'));
  });

  it('has a labeled close button', async () => {
    const { user } = await renderApp('/benefits', { api });
    act(() => toastSuccess('Category deleted successfully'));

    await user.click(await screen.findByRole('button', { name: 'Dismiss' }));

    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});
