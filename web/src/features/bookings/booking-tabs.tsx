import * as paths from '@lendtools/contracts/pages';
import { NavLink } from 'react-router-dom';
import classes from './booking-tabs.module.css';

/** Links the two lists of bookings: as renter and as owner. */
export function BookingTabs() {
  return (
    <nav aria-label="Bookings" className={classes.tabs}>
      <NavLink to={paths.rentalHistory}>Renting</NavLink>
      <NavLink to={paths.myBookings}>Lending</NavLink>
    </nav>
  );
}
