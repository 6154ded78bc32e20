import { Browse } from '../features/browse/browse.tsx';
import { Banner } from '../features/marketing/banner.tsx';
import { Benefits, HowItWorks, Safety, Testimonials } from '../features/marketing/sections.tsx';
import classes from './home-page.module.css';

/** What LendTools is, the tools themselves, and then why: in the order in which people ask. */
export function Component() {
  return (
    <div className={`page-width ${classes.page}`}>
      <Banner />
      <div className={classes.browse}>
        <Browse />
      </div>
      <HowItWorks />
      <Benefits />
      <Testimonials />
      <Safety />
    </div>
  );
}
