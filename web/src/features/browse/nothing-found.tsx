import { Button, Group } from '@mantine/core';
import { IconMapSearch, IconSearchOff } from '@tabler/icons-react';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import type { MyPlace } from '../../lib/my-place.ts';
import { EmptyState } from '../../ui/page-states.tsx';
import { useFirstToolQuery } from './browse-api.ts';
import { type BrowseFilters, noFilters, radiusOptions, toQuery } from './browse-filters.ts';
import { filterWords, inMiles } from './filter-words.ts';

interface NothingFoundProps {
  filters: BrowseFilters;
  place: MyPlace | null;
  searchedFor: string | undefined;
  onChange: (changes: Partial<BrowseFilters>) => void;
}

interface Tip {
  label: string;
  changes: Partial<BrowseFilters>;
}

/** A change of the filters and what it would find first; nothing is asked where the change is none. */
function useFirst(
  { filters, place }: Pick<NothingFoundProps, 'filters' | 'place'>,
  changes: Partial<BrowseFilters>,
) {
  const isChange = Object.keys(changes).some((name) => filters[name as keyof BrowseFilters]);
  const query = toQuery({ ...filters, ...changes }, place);
  const { currentData, isFetching } = useFirstToolQuery(query, { skip: !isChange });
  return { found: isChange ? (currentData ?? null) : null, isFetching };
}

const everywhere: Partial<BrowseFilters> = { radius: '', sort: 'distance' };

/** Only what finds something is worth a button: each is tried before it is shown. */
function useTips(asked: Pick<NothingFoundProps, 'filters' | 'place'>) {
  const { filters } = asked;
  const nearest = useFirst(asked, filters.radius ? everywhere : {});
  const anyCategory = useFirst(asked, { category: '' });
  const anyPrice = useFirst(asked, { min: '', max: '' });
  const anyWords = useFirst(asked, { q: '', exact: '' });
  const probes = [nearest, anyCategory, anyPrice, anyWords];
  const tips: Tip[] = [];
  if (nearest.found) {
    const miles = nearest.found.distance ?? Number.POSITIVE_INFINITY;
    const wider = radiusOptions.find(
      (radius) => radius > Number(filters.radius) && radius >= miles,
    );
    if (wider) {
      const radius = String(wider);
      tips.push({ label: `Look within ${inMiles(radius)}`, changes: { radius } });
    }
    tips.push({ label: 'Look everywhere', changes: { radius: '' } });
  }
  if (anyCategory.found) tips.push({ label: 'All categories', changes: { category: '' } });
  if (anyPrice.found) tips.push({ label: 'Any price', changes: { min: '', max: '' } });
  if (anyWords.found) tips.push({ label: 'Clear the search', changes: { q: '' } });
  const isSettled = probes.every(({ isFetching }) => !isFetching);
  if (tips.length === 0 && isSettled) tips.push({ label: 'Show all tools', changes: noFilters });
  return { tips, isSettled };
}

/** What was not found, in the terms of the search, and what there is instead. */
export function NothingFound({ filters, place, searchedFor, onChange }: NothingFoundProps) {
  const { data: categories } = useCategoriesQuery();
  const { tips, isSettled } = useTips({ filters, place });
  const category = categories?.find(({ id }) => id === filters.category)?.name;
  const words = filterWords(filters, category);
  const { q, radius } = filters;
  const isFiltered = Boolean(q || words);
  const title = q
    ? `Nothing found for “${searchedFor ?? q}”${words}`
    : `No tools${words || ' here'} yet`;
  return (
    <EmptyState
      icon={radius ? IconMapSearch : IconSearchOff}
      title={title}
      action={
        isFiltered && (
          <Group justify="center" gap="xs" mt="xs" mih={44}>
            {isSettled &&
              tips.map(({ label, changes }, index) => (
                <Button
                  key={label}
                  variant={index === 0 ? 'filled' : 'light'}
                  onClick={() => onChange(changes)}
                >
                  {label}
                </Button>
              ))}
          </Group>
        )
      }
    >
      {isFiltered
        ? 'Neighbors list new tools every week. Until then, this finds something:'
        : 'Be the first in your neighborhood: list a tool that you rarely use.'}
    </EmptyState>
  );
}
