import { VisuallyHidden } from '@mantine/core';
import { lazy } from 'react';
import { Browse } from '../features/browse/browse.tsx';
import { isFiltered, useBrowseFilters } from '../features/browse/browse-filters.ts';
import { CategoryTiles } from '../features/browse/category-tiles.tsx';
import { NearRow } from '../features/browse/near-row.tsx';
import { Banner } from '../features/marketing/banner.tsx';
import { whenUsed } from '../lib/when-used.ts';
import { Part } from '../ui/part.tsx';
import classes from './home-page.module.css';

/** `HomeStory` is below the first screen, so its code loads on the reader's first interaction. */
const HomeStory = lazy(() => whenUsed().then(() => import('./home-story.tsx')));

export default function HomePage() {
  const isSearching = isFiltered(useBrowseFilters().filters);
  return (
    <div className={`page-width ${classes.page}`}>
      {isSearching ? <VisuallyHidden component="h1">Tools to rent</VisuallyHidden> : <Banner />}
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
      {!isSearching && (
        <Part waiting={<div className={classes.story} />}>
          <HomeStory />
        </Part>
      )}
    </div>
  );
}
