import { Browse } from '../features/browse/browse.tsx';
import { CategoryTiles } from '../features/browse/category-tiles.tsx';
import { NearRow } from '../features/browse/near-row.tsx';
import { Banner } from '../features/marketing/banner.tsx';
import { OwnersEarn } from '../features/marketing/owners-earn.tsx';
import { Benefits, HowItWorks, Safety, Testimonials } from '../features/marketing/sections.tsx';
import classes from './home-page.module.css';

/** What, where and when; the tools themselves; then what one earns, and why: in the order in which people ask. */
export function Component() {
  return (
    <div className={`page-width ${classes.page}`}>
      <Banner />
      <div className={classes.browse}>
        <Browse
          intro={
            <>
              <CategoryTiles />
              <NearRow />
            </>
          }
        />
      </div>
      <OwnersEarn />
      <HowItWorks />
      <Benefits />
      <Testimonials />
      <Safety />
    </div>
  );
}
