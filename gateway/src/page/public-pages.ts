import { pages } from '@lendtools/contracts';
import type { PageFacts } from './head-tags.ts';

export const ourPicture = {
  path: '/share.png',
  words: 'LendTools: rent and lend tools in your neighborhood',
};

const homeTitle = 'LendTools: rent and lend tools in your neighborhood';
const homeDescription =
  'Borrow a drill two streets away, or lend yours. LendTools connects neighbors who share tools.';

const page = (
  address: string | null,
  name: string,
  description: string,
  first: PageFacts['first'] = address ? { heading: name } : undefined,
): PageFacts => ({
  title: name === homeTitle ? name : `${name} · LendTools`,
  name,
  description,
  address,
  image: ourPicture,
  type: 'website',
  first,
});

const home = page(pages.home, homeTitle, homeDescription, {
  heading: 'Rent & Lend Tools in Your Neighborhood',
});

const publicPages = new Map<string, PageFacts>([
  [pages.home, home],
  [
    pages.browse,
    page(
      pages.browse,
      'Tools to rent near you',
      'Drills, ladders, pressure washers: search what neighbors near you lend, by the day or the hour.',
      home.first,
    ),
  ],
  [
    pages.howItWorks,
    page(
      pages.howItWorks,
      'How it works',
      'Find a tool near you, book it by the day or the hour, pay by card and pick it up next door.',
    ),
  ],
  [
    pages.benefits,
    page(
      pages.benefits,
      'Benefits',
      'Why buy an expensive tool to use it once? Share tools, waste less, and get to know your neighbors.',
    ),
  ],
  [
    pages.signUp,
    page(
      pages.signUp,
      'Create An Account',
      'Join your neighborhood’s tool shed: rent what you need, lend what you have.',
    ),
  ],
  [pages.login, page(pages.login, 'Login', 'Log in to rent tools or lend your own.')],
]);

export const publicAddresses = [
  ...new Set([...publicPages.values()].map(({ address }) => address)),
];

/** Describes any page except a tool's. A private page gets no canonical path, so search engines skip it. */
export const pageFacts = (path: string): PageFacts =>
  publicPages.get(path) ?? page(null, homeTitle, homeDescription);
