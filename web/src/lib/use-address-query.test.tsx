import { expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { useAddressQuery } from './use-address-query.ts';

function Filters() {
  const { query, changeQuery } = useAddressQuery();
  const chooseBoth = () => {
    changeQuery({ q: 'drill', page: undefined }, { replace: true });
    changeQuery({ status: 'Booked' }, { replace: true });
  };
  return (
    <button type="button" onClick={chooseBoth}>
      {query.toString()}
    </button>
  );
}

it('keeps both of two changes of the URL made before a render', async () => {
  const routes = [{ path: '/', element: <Filters /> }];
  const router = createMemoryRouter(routes, { initialEntries: ['/?page=2&sort=price'] });
  render(<RouterProvider router={router} />);

  await userEvent.click(screen.getByRole('button'));

  expect(screen.getByRole('button')).toHaveTextContent('sort=price&q=drill&status=Booked');
});
