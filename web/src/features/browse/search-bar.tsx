import { UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import {
  IconCategory,
  IconChevronDown,
  IconCurrentLocation,
  IconSearch,
  IconX,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import { type BrowseFilters, radiusOptions } from './browse-filters.ts';
import classes from './search-bar.module.css';

interface SearchBarProps {
  filters: BrowseFilters;
  onChange: (changes: Partial<BrowseFilters>) => void;
}

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
function useSearchWhileTyping(onChange: SearchBarProps['onChange']) {
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

function SearchField({ filters, onChange }: SearchBarProps) {
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
    <div className={classes.search}>
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

interface ChoiceProps {
  label: string;
  icon: ReactNode;
  value: string;
  onChange: (value: string) => void;
  options: { value: string; label: string }[];
}

/** A native select: on a phone it opens the system's own picker. */
function Choice({ label, icon, value, onChange, options }: ChoiceProps) {
  return (
    <label className={classes.choice} data-chosen={Boolean(value) || undefined}>
      {icon}
      <span className={classes.choiceLabel}>{label}</span>
      <select
        className={classes.select}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="">--select--</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <IconChevronDown size={16} stroke={2.2} aria-hidden className={classes.chevron} />
    </label>
  );
}

const radiusChoices = radiusOptions.map((miles) => ({
  value: String(miles),
  label: `${miles} mile${miles === 1 ? '' : 's'}`,
}));

export function SearchBar({ filters, onChange }: SearchBarProps) {
  const { data: categories = [] } = useCategoriesQuery();
  return (
    // biome-ignore lint/a11y/useSemanticElements: Enter needs a form, and browsers of 2022 lack <search>.
    <form
      role="search"
      className={classes.bar}
      onSubmit={(event) => {
        // The search runs while typing; Enter only hides the phone's keyboard.
        event.preventDefault();
        (document.activeElement as HTMLElement | null)?.blur();
      }}
    >
      <SearchField filters={filters} onChange={onChange} />
      <Choice
        label="Category"
        icon={<IconCategory size={20} stroke={1.7} aria-hidden />}
        value={filters.category}
        onChange={(category) => onChange({ category })}
        options={categories.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Choice
        label="Near me"
        icon={<IconCurrentLocation size={20} stroke={1.7} aria-hidden />}
        value={filters.radius}
        onChange={(radius) => onChange({ radius })}
        options={radiusChoices}
      />
    </form>
  );
}
