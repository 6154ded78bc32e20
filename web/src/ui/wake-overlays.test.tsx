import { expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { confirm } from './confirm.tsx';
import Overlays from './overlays.tsx';

function showPlace() {
  return render(
    <MantineProvider env="test">
      <Overlays />
    </MantineProvider>,
  );
}

it('waits for the overlays to mount, also after they were unmounted', async () => {
  showPlace().unmount();

  void confirm('It cannot be undone.');
  await Promise.resolve();
  showPlace();

  expect(await screen.findByRole('dialog')).toHaveTextContent('It cannot be undone.');
});
