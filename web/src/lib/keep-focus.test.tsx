import { describe, expect, it } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { keepFocus } from './keep-focus.ts';

const paid = Promise.withResolvers<void>();

function Cart() {
  const [lines, setLines] = useState(['drill', 'ladder']);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(keepFocus, []);
  const pay = () => {
    setIsBusy(true);
    void paid.promise.then(() => setIsBusy(false));
  };
  return (
    <main>
      <ul aria-label="In your cart">
        {lines.map((name) => (
          <li key={name}>
            <button type="button" onClick={() => setLines(lines.filter((one) => one !== name))}>
              Remove {name}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" disabled={isBusy} onClick={pay}>
        Pay
      </button>
    </main>
  );
}

const user = userEvent.setup();

async function press(name: string) {
  screen.getByRole('button', { name }).focus();
  await user.keyboard('{Enter}');
}

describe('the focus', () => {
  it('moves next to a removed button, from where the next Tab continues', async () => {
    render(<Cart />);

    await press('Remove drill');

    await waitFor(() => expect(screen.getByRole('list')).toHaveFocus());
    await user.tab();
    expect(screen.getByRole('button', { name: 'Remove ladder' })).toHaveFocus();
    expect(screen.getByRole('list')).not.toHaveAttribute('tabindex');
  });

  it('returns to a button that was disabled while its request ran', async () => {
    render(<Cart />);

    await press('Pay');
    await waitFor(() => expect(document.body).toHaveFocus());
    paid.resolve();

    await waitFor(() => expect(screen.getByRole('button', { name: 'Pay' })).toHaveFocus());
  });

  it('is not restored after a press on the background', async () => {
    render(<Cart />);
    await press('Remove drill');
    await waitFor(() => expect(screen.getByRole('list')).toHaveFocus());

    await user.click(document.body);
    act(() => screen.getByRole('button', { name: 'Remove ladder' }).click());
    await waitFor(() => expect(screen.queryByRole('button', { name: /Remove/ })).toBeNull());

    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(document.body).toHaveFocus();
  });
});
