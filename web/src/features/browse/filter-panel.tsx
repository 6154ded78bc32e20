import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { whenNear } from '../../lib/when-near.ts';
import { Part } from '../../ui/part.tsx';
import type { BrowseFilters } from './browse-filters.ts';
import classes from './refine.module.css';

export interface FilterProps {
  filters: BrowseFilters;
  onChange: (changes: Partial<BrowseFilters>) => void;
}

interface FilterPanelProps {
  icon: ReactNode;
  label: string;
  isChosen: boolean;
  load: () => Promise<unknown>;
  /** Renders the form of a filter; the chip refers to the form's `id` by `aria-controls`. */
  form: (id: string, close: () => void) => ReactNode;
}

export function FilterPanel({ icon, label, isChosen, load, form }: FilterPanelProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <UnstyledButton
        {...whenNear(load)}
        ref={button}
        className={`${classes.chip} ${classes.narrow}`}
        data-chosen={isChosen || undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {icon}
        {label}
        <IconChevronDown size={16} stroke={2.2} aria-hidden data-open={isOpen || undefined} />
      </UnstyledButton>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes it from each field inside.
        <div
          className={classes.panel}
          onKeyDown={({ key }) => {
            if (key === 'Escape') close();
          }}
        >
          <Part>{form(id, close)}</Part>
        </div>
      )}
    </>
  );
}
