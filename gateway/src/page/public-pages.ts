import type { PageFacts } from './head-tags.ts';

export const ourPicture = {
  path: '/share.png',
  words: 'LendTools: rent and lend tools in your neighborhood',
};

const homeTitle = 'LendTools: rent and lend tools in your neighborhood';
const homeDescription =
  'Borrow a drill two streets away, or lend yours. LendTools connects neighbors who share tools.';

const page = (address: string | null, name: string, description: string): PageFacts => ({
  title: name === homeTitle ? name : `${name} · LendTools`,
  name,
  description,
  address,
  image: ourPicture,
  type: 'website',
});

const home = page('/', homeTitle, homeDescription);

/** The pages that are for everybody, by their paths. */
const publicPages = new Map<string, PageFacts>([
  ['/', home],
  [
    '/home',
    page(
      '/home',
      'Tools to rent near you',
      'Drills, ladders, pressure washers: search what neighbors near you lend, by the day or the hour.',
    ),
  ],
  [
    '/how-it-works',
    page(
      '/how-it-works',
      'How it works',
      'Find a tool near you, book it by the day or the hour, pay by card and pick it up next door.',
    ),
  ],
  [
    '/benefits',
    page(
      '/benefits',
      'Benefits',
      'Why buy an expensive tool to use it once? Share tools, waste less, and get to know your neighbors.',
    ),
  ],
  [
    '/create-account',
    page(
      '/create-account',
      'Create An Account',
      'Join your neighborhood’s tool shed: rent what you need, lend what you have.',
    ),
  ],
  ['/user-login', page('/user-login', 'Login', 'Log in to rent tools or lend your own.')],
]);

export const publicAddresses = [
  ...new Set([...publicPages.values()].map(({ address }) => address)),
];

/** What to say of a page that is not a tool's: one that is somebody's own is not for search engines. */
export const pageFacts = (path: string): PageFacts =>
  publicPages.get(path) ?? page(null, homeTitle, homeDescription);
