import type { Tool } from '@lendtools/contracts';
import { laterDay } from '@lendtools/contracts/local-time';
import { Button, Group } from '@mantine/core';
import { IconMapSearch, IconSearchOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import type { MyPlace } from '../../lib/my-place.ts';
import { datesInWords, localDay } from '../../rental/format.ts';
import { EmptyState } from '../../ui/page-states.tsx';
import { useLazyFirstToolQuery } from './browse-api.ts';
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

/** Changed filters to search with, and the suggestions to show if that search finds a tool. */
interface Relaxation {
  changes: Partial<BrowseFilters>;
  tips: (first: Tool) => Tip[];
}

function moveDates({ start_date, end_date }: BrowseFilters, days: number): Partial<BrowseFilters> {
  if (!start_date || laterDay(start_date, days) < localDay()) return {};
  return { start_date: laterDay(start_date, days), end_date: laterDay(end_date, days) };
}

function offer(label: string, changes: Partial<BrowseFilters>): Relaxation {
  return {
    changes,
    tips: () => [{ label, changes }],
  };
}

/** Searches without the radius: the distance of the nearest tool decides which wider radius to suggest. */
function farther({ radius }: BrowseFilters): Relaxation {
  return {
    changes: radius ? { radius: '', sort: 'distance' } : {},
    tips: ({ distance }) => {
      const miles = distance ?? Number.POSITIVE_INFINITY;
      const wider = radiusOptions.find((option) => option > Number(radius) && option >= miles);
      const tip = { label: `Look within ${inMiles(`${wider}`)}`, changes: { radius: `${wider}` } };
      return [...(wider ? [tip] : []), { label: 'Look everywhere', changes: { radius: '' } }];
    },
  };
}

/** Groups of filter changes to try; of each group, the first that finds a tool is suggested. */
function relaxationsOf(filters: BrowseFilters): Relaxation[][] {
  const otherDays = [1, -1, 2, -2, 7].map((days) => {
    const changes = moveDates(filters, days);
    return offer(datesInWords({ ...filters, ...changes }), changes);
  });
  const others = [
    offer('Any day', { start_date: '', end_date: '' }),
    farther(filters),
    offer('All categories', { category: '' }),
    offer('Any price', { min: '', max: '' }),
    offer('Clear the search', { q: '', exact: '' }),
  ];
  const isChange = ({ changes }: Relaxation) =>
    Object.keys(changes).some((name) => filters[name as keyof BrowseFilters]);
  return [otherDays, ...others.map((one) => [one])].map((group) => group.filter(isChange));
}

function useTips({ filters, place }: Pick<NothingFoundProps, 'filters' | 'place'>): Tip[] | null {
  const [findFirst] = useLazyFirstToolQuery();
  const [found, setFound] = useState<{ search: string; tips: Tip[] } | null>(null);
  const search = JSON.stringify({ filters, place });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters are a new object on each render; their JSON is stable.
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      const tips: Tip[] = [];
      for (const group of relaxationsOf(filters)) {
        for (const { changes, tips: tipsOf } of group) {
          const { data } = await findFirst(toQuery({ ...filters, ...changes }, place), true);
          if (isOver) return;
          if (!data) continue;
          tips.push(...tipsOf(data));
          break;
        }
      }
      if (tips.length === 0) tips.push({ label: 'Show all tools', changes: noFilters });
      setFound({ search, tips });
    };
    void look();
    return () => {
      isOver = true;
    };
  }, [search, findFirst]);
  return found?.search === search ? found.tips : null;
}

export function NothingFound({ filters, place, searchedFor, onChange }: NothingFoundProps) {
  const { data: categories } = useCategoriesQuery();
  const tips = useTips({ filters, place });
  const category = categories?.find(({ id }) => id === filters.category)?.name;
  const words = filterWords(filters, category);
  const { q, radius } = filters;
  const dates = datesInWords(filters);
  const isFiltered = Boolean(q || words || dates);
  const forWords = q && ` for “${searchedFor ?? q}”`;
  const title = dates
    ? `Nothing${forWords}${words} is free on ${dates}`
    : q
      ? `Nothing found${forWords}${words}`
      : `No tools${words || ' here'} yet`;
  return (
    <EmptyState
      icon={radius ? IconMapSearch : IconSearchOff}
      title={title}
      action={
        isFiltered && (
          <Group justify="center" gap="xs" mt="xs" mih={44}>
            {tips?.map(({ label, changes }, index) => (
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
      {dates
        ? 'This finds something:'
        : isFiltered
          ? 'Neighbors list new tools every week. Until then, this finds something:'
          : 'Be the first in your neighborhood: list a tool that you rarely use.'}
    </EmptyState>
  );
}
