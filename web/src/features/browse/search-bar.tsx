import { UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react';
import { lazy, useEffect, useId, useRef, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import { useRememberedPlace } from '../../lib/my-place.ts';
import { whenNear } from '../../lib/when-near.ts';
import { rentalInWords } from '../../rental/rental-words.ts';
import { Part } from '../../ui/part.tsx';
import type { BrowseFilters } from './browse-filters.ts';
import type { FilterProps } from './filter-props.ts';
import { placeInWords } from './filter-words.ts';
import classes from './search-bar.module.css';

function loadSearch() {
  return import('./search-sheet.tsx');
}

const SearchSheet = lazy(loadSearch);

function loadFilters() {
  return import('./filter-sheet.tsx');
}

const FilterSheet = lazy(loadFilters);

/** The pause in typing that starts a search: long enough to finish a word, short enough to feel immediate. */
const typingPauseMs = 250;

function linkOf({ target }: Event) {
  return target instanceof Element ? target.closest('a') : null;
}

/** Whether the router handles the click. The browser handles clicks with a modifier key or another button. */
function leavesPage({ button, ctrlKey, metaKey, shiftKey, altKey }: PointerEvent) {
  return button === 0 && !(ctrlKey || metaKey || shiftKey || altKey);
}

/**
 * Searches when typing pauses. While a link is pressed the search waits, so that the link does not move away from the
 * finger. Uses pointer events, because not every browser focuses a pressed link.
 */
function useSearchWhileTyping(onChange: FilterProps['onChange']) {
  const search = useDebouncedCallback((q: string) => onChange({ q: q.trim() }), typingPauseMs);
  const words = useRef('');
  useEffect(() => {
    let pressed: Element | null = null;
    const press = (event: PointerEvent) => {
      if (!search.isPending() || !leavesPage(event)) return;
      pressed = linkOf(event);
      if (pressed) search.cancel();
    };
    const letGo = (event: PointerEvent) => {
      const isClick = event.type === 'pointerup' && linkOf(event) === pressed;
      if (pressed && !isClick) search(words.current);
      pressed = null;
    };
    document.addEventListener('pointerdown', press);
    document.addEventListener('pointerup', letGo);
    document.addEventListener('pointercancel', letGo);
    return () => {
      document.removeEventListener('pointerdown', press);
      document.removeEventListener('pointerup', letGo);
      document.removeEventListener('pointercancel', letGo);
    };
  }, [search]);
  return (q: string) => {
    words.current = q;
    search(q);
  };
}

function SearchField({ filters, onChange }: FilterProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(filters.q);
  const search = useSearchWhileTyping(onChange);
  const cameByHistory = useNavigationType() === 'POP';
  // Show the text in the URL: it also changes without typing, by Back or by "Clear" in an empty result.
  useEffect(() => {
    if (cameByHistory || document.activeElement !== input.current || !filters.q) setText(filters.q);
  }, [filters.q, cameByHistory]);
  return (
    <div className={classes.field}>
      <IconSearch size={20} stroke={2} aria-hidden className={classes.searchIcon} />
      <label htmlFor={id} className={classes.hidden}>
        Search tools by name
      </label>
      <input
        ref={input}
        id={id}
        type="search"
        enterKeyHint="search"
        placeholder="Search tools by name"
        className={classes.input}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          search(value);
        }}
      />
      {text && (
        <UnstyledButton
          className={classes.clear}
          aria-label="Clear the text"
          onClick={() => {
            setText('');
            onChange({ q: '' });
            input.current?.focus();
          }}
        >
          <IconX size={18} />
        </UnstyledButton>
      )}
    </div>
  );
}

/** What the search sheet focuses. */
export type SearchPart = 'what' | 'where' | 'when';

function daysInWords({ start_date, end_date }: BrowseFilters): string {
  return rentalInWords({ start_date, end_date, start_time: '', end_time: '' });
}

/** A phone's pill is one button that opens the sheet. On wider screens the words are typed into the pill. */
function SearchPill({ filters, onChange }: FilterProps) {
  const [part, setPart] = useState<SearchPart>('what');
  const [wasOpened, setWasOpened] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const place = useRememberedPlace();
  const where = placeInWords(filters, place);
  const when = filters.start_date ? daysInWords(filters) : 'Any day';
  const open = (next: SearchPart) => {
    setPart(next);
    setWasOpened(true);
    setOpen(true);
  };
  const opener = (next: SearchPart) => ({
    ...whenNear(loadSearch),
    'aria-haspopup': 'dialog' as const,
    onClick: () => open(next),
  });
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: Enter needs a form, and browsers of 2022 lack <search>. */}
      <form
        role="search"
        className={classes.pill}
        onSubmit={(event) => {
          // The search runs while typing; Enter only hides the keyboard of a tablet.
          event.preventDefault();
          (document.activeElement as HTMLElement | null)?.blur();
        }}
      >
        <UnstyledButton {...opener('what')} className={classes.all}>
          <IconSearch size={20} stroke={2} aria-hidden className={classes.searchIcon} />
          <span className={classes.words}>
            <b>{filters.q || 'What do you need?'}</b>{' '}
            <small>
              {where} · {when}
            </small>
          </span>
        </UnstyledButton>
        <SearchField filters={filters} onChange={onChange} />
        <UnstyledButton {...opener('where')} className={classes.part}>
          <small>Where</small> <b>{where}</b>
        </UnstyledButton>
        <UnstyledButton {...opener('when')} className={classes.part}>
          <small>When</small> <b>{when}</b>
        </UnstyledButton>
      </form>
      <Part>
        {wasOpened && (
          <SearchSheet
            filters={filters}
            part={part}
            opened={isOpen}
            onClose={() => setOpen(false)}
            onChange={onChange}
          />
        )}
      </Part>
    </>
  );
}

function FilterButton({ filters, onChange }: FilterProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { category, min, max } = filters;
  const count = [category, min || max].filter(Boolean).length;
  return (
    <>
      <UnstyledButton
        {...whenNear(loadFilters)}
        className={classes.filters}
        aria-haspopup="dialog"
        aria-label={count ? `Filters, ${count} chosen` : 'Filters'}
        data-chosen={count > 0 || undefined}
        onClick={() => {
          setWasOpened(true);
          setOpen(true);
        }}
      >
        <IconAdjustmentsHorizontal size={20} aria-hidden />
        <span className={classes.filtersLabel}>Filters</span>
        {count > 0 && <span className={classes.count}>{count}</span>}
      </UnstyledButton>
      <Part>
        {wasOpened && (
          <FilterSheet
            filters={filters}
            opened={isOpen}
            onClose={() => setOpen(false)}
            onChange={onChange}
          />
        )}
      </Part>
    </>
  );
}

export function SearchBar(props: FilterProps) {
  return (
    <div className={classes.bar}>
      <SearchPill {...props} />
      <FilterButton {...props} />
    </div>
  );
}
