import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconMapPin } from '@tabler/icons-react';
import { lazy, useId, useRef, useState } from 'react';
import { type MyPlace, rememberPlace, useRememberedPlace } from '../../lib/my-place.ts';
import { whenNear } from '../../lib/when-near.ts';
import { Part } from '../../ui/part.tsx';
import type { BrowseFilters } from './browse-filters.ts';
import classes from './refine.module.css';

interface PlaceFilterProps {
  filters: BrowseFilters;
  onChange: (changes: Partial<BrowseFilters>) => void;
}

const loadForm = () => import('./place-form.tsx');
const PlaceForm = lazy(loadForm);

/** Where the distances count from, to be said once: by the browser, or by a ZIP code without it. */
export function PlaceFilter({ filters, onChange }: PlaceFilterProps) {
  const place = useRememberedPlace();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const settle = (next: MyPlace | null) => {
    rememberPlace(next);
    close();
    const { radius, sort, q } = filters;
    // Whoever says where they are wants to see what is close; without a place nothing is.
    if (next && !radius && !sort && !q) onChange({ sort: 'distance' });
    if (!next && (radius || sort === 'distance')) {
      onChange({ radius: '', ...(sort === 'distance' && { sort: '' }) });
    }
  };
  const label = place?.zip ? `Near ${place.zip}` : place ? 'Near you' : 'Your place';
  return (
    <>
      <UnstyledButton
        {...whenNear(loadForm)}
        ref={button}
        className={`${classes.chip} ${classes.narrow}`}
        data-chosen={Boolean(place) || undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <IconMapPin size={16} aria-hidden />
        {label}
        <IconChevronDown size={16} stroke={2.2} aria-hidden data-open={isOpen || undefined} />
      </UnstyledButton>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes from each field in it.
        <div
          className={classes.panel}
          onKeyDown={({ key }) => {
            if (key === 'Escape') close();
          }}
        >
          <Part>
            <PlaceForm id={id} place={place} onPlace={settle} />
          </Part>
        </div>
      )}
    </>
  );
}
