import { z } from 'zod';
import { longestDays } from '../rental-period.ts';
import { perDay } from './accounts.ts';
import {
  bothDegrees,
  dollars,
  fewDays,
  fields,
  id,
  idOf,
  imagePath,
  isFewDays,
  longText,
  nearDate,
  nextCursor,
  numeric,
  page,
  placeAccuracy,
  point,
  priceBound,
  revision,
  text,
  words,
  yesOrNo,
  zipOrNone,
} from './common.ts';
import { type Terms, terms, termsField } from './terms.ts';

export const rentalCircle = z.enum(['hourly', 'daily'], 'Please choose hourly or daily');
export const itemStatus = z.enum(
  ['Available', 'Unavailable'],
  'A tool is Available or Unavailable',
);

export const category = z.object({ id, name: z.string(), image: imagePath });
export type Category = z.infer<typeof category>;

/** The owner as other users see them. Only the owner and admins see `address`; renters get it with a paid booking. */
export const toolOwner = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  country: z.string(),
  state: z.string(),
  city: z.string(),
  address: z.string().nullable(),
  /** True if the owner has followed a link sent to their email. */
  emailVerified: z.boolean(),
});

export const tool = z.object({
  id,
  name: z.string(),
  description: z.string(),
  price: z.number(),
  rental_circle: rentalCircle,
  item_status: itemStatus,
  /** Mean of the reviews, 0 to 5; 0 without reviews. */
  rating: z.number(),
  reviewCount: z.number().int(),
  quantity: z.number().int(),
  categoryId: id,
  category: z.object({ id, name: z.string() }),
  userId: id,
  user: toolOwner,
  cover_image: imagePath,
  image: imagePath,
  image1: imagePath,
  image2: imagePath,
  image3: imagePath,
  image4: imagePath,
  /** IANA time zone of the tool's place. */
  timeZone: z.string(),
  /** `area`: `position` is accurate to about half a mile. `city`: `position` is the center of the owner's city. */
  placeAccuracy,
  /** Distances are measured from this point: the center of a half-mile square or of the city. */
  position: z.object({ lat: z.number(), lng: z.number() }).optional(),
  /** The tool's own pick-up place, rounded; null if it is the owner's place. Only the owner and admins see it. */
  pickup: z.object({ lat: z.number(), lng: z.number(), zip: z.string() }).nullable(),
  /** The owner's terms; null if there are none. Only the owner and admins see blocked days here. */
  terms: terms.nullable(),
  /** Miles from the requested place, with one decimal; null if no place was requested. */
  distance: z.number().nullable(),
  /** Why LendTools hid the tool. Missing if it did not, and for anyone but its owner and admins. */
  hiddenReason: z.string().optional(),
  /** The tool's revision. Only its owner and admins see it. */
  revision: revision.optional(),
  createdAt: z.iso.datetime(),
});
export type Tool = z.infer<typeof tool>;

export const mostSavedTools = 200;
export const savedToolsReply = z.object({ rentals: z.array(tool) });
export const savedToolIdsReply = z.object({ ids: z.array(id) });

export const toolImages = ['cover_image', 'image1', 'image2', 'image3', 'image4'] as const;

const toolFields = {
  name: text('a name', 120),
  description: longText('a description', 4000),
  price: dollars,
  rental_circle: rentalCircle,
  categoryId: idOf('Please choose a category'),
  quantity: numeric(
    z
      .number('Please enter how many you have')
      .int('Please enter a whole number')
      .min(1, 'You need at least one unit')
      .max(50, 'A listing has at most 50 units'),
  ),
};

/**
 * The tool's pick-up place, if it differs from the owner's. `lat` and `lng` are in degrees and are rounded to about half a mile
 * before they are stored. The ZIP code is optional.
 */
const pickup = {
  pickup_lat: point.lat.optional(),
  pickup_lng: point.lng.optional(),
  pickup_zip: zipOrNone.optional(),
};

const hasWholePoint = (body: { pickup_lat?: unknown; pickup_lng?: unknown }): boolean =>
  (body.pickup_lat === undefined) === (body.pickup_lng === undefined);

/** The whole body is checked, because only `rental_circle` says whether lengths are in days or hours. */
const lengthsFit =
  (name: 'shortest' | 'longest') =>
  (body: { rental_circle?: string | undefined; terms?: Terms | null | undefined }): boolean =>
    body.rental_circle !== 'daily' || (body.terms?.[name] ?? 0) <= longestDays;

const tooManyDays = (name: 'shortest' | 'longest') => ({
  error: `The ${name} rental of a daily tool is 1 to ${longestDays} days`,
  path: ['terms', name],
});

/** `item_status` is documented and ignored: a new tool is Available. */
export const addRentalBody = fields({
  ...toolFields,
  ...pickup,
  rental_circle: rentalCircle.default('daily'),
  quantity: toolFields.quantity.default(1),
  item_status: itemStatus.optional(),
  terms: termsField,
})
  .refine(hasWholePoint, bothDegrees('pickup_lat'))
  .refine(lengthsFit('shortest'), tooManyDays('shortest'))
  .refine(lengthsFit('longest'), tooManyDays('longest'));

const imageField = z.enum(toolImages, 'This is not a picture of a tool');

/**
 * Saving makes the tool Available again, unless `item_status` is "Unavailable" or only the terms change. `removeImages`
 * names image fields to empty. An empty `pickup_zip` without coordinates moves the tool back to its
 * owner's place. `imageOrder` lists all five image fields in their new order; it applies before uploads and removals.
 */
export const updateRentalBody = fields({
  ...z.object(toolFields).partial().shape,
  ...pickup,
  item_status: itemStatus.optional(),
  /** Replaces all terms, but keeps the blocked days if `blocked` is absent. `null` removes all terms. */
  terms: termsField,
  removeImages: z
    .preprocess(
      (names) => (typeof names === 'string' ? [names] : names),
      z.array(imageField, 'Please name pictures of the tool').max(5, 'A tool has five pictures'),
    )
    .optional(),
  imageOrder: z
    .array(imageField, 'Please name pictures of the tool')
    .length(toolImages.length, 'Please name each of the five pictures once')
    .refine((names) => new Set(names).size === names.length, {
      message: 'Please name each of the five pictures once',
    })
    .optional(),
})
  .refine(hasWholePoint, bothDegrees('pickup_lat'))
  .refine(lengthsFit('shortest'), tooManyDays('shortest'))
  .refine(lengthsFit('longest'), tooManyDays('longest'));

export const sort = z.enum(
  ['relevance', 'newest', 'price', 'rating', 'distance'],
  'Please sort by relevance, newest, price, rating or distance',
);
const search = {
  ...page,
  q: words.optional(),
  exact: yesOrNo('Please say true to search for exactly the words that you typed')
    .optional()
    .meta({ description: 'true: misspelled words in `q` are not corrected.' }),
  category: id.optional(),
  minPrice: priceBound.optional(),
  maxPrice: priceBound.optional(),
  sort: sort.optional(),
  from: nearDate.optional(),
  to: nearDate.optional(),
};
const hasWholeDates = ({
  from,
  to,
}: {
  from?: string | undefined;
  to?: string | undefined;
}): boolean => (from === undefined || to === undefined ? from === to : isFewDays({ from, to }));
const radiusError = 'Please choose a distance of up to 50 miles';
const place = {
  ...point,
  /** The search radius in miles. */
  radius: numeric(z.number(radiusError).positive(radiusError).max(50, radiusError)),
};
/** With both `from` and `to`, only tools match that are free on all days from the first to the last. */
export const rentalsQuery = fields({ ...search, ...z.object(place).partial().shape }).refine(
  hasWholeDates,
  fewDays,
);
export const nearQuery = fields({ ...search, ...place }).refine(hasWholeDates, fewDays);

/** The name says what kind of tool it is. Without coordinates, the place is the caller's. */
export const priceRangeQuery = fields({
  category: idOf('Please choose a category'),
  rental_circle: rentalCircle,
  name: words.optional(),
  lat: point.lat.optional(),
  lng: point.lng.optional(),
}).refine(({ lat, lng }) => (lat === undefined) === (lng === undefined), bothDegrees('lat'));
export const priceRangeReply = z.object({
  /** Null if fewer than three similar tools are near. */
  priceRange: z
    .object({
      /** `kind`: the tools have the same kind as the name says. `category`: too few have, so all of the category count. */
      basis: z.enum(['kind', 'category']),
      tools: z.number().int(),
      /** A quarter of the tools cost at most `lowCents`, and a quarter at least `highCents`. */
      lowCents: z.number().int(),
      medianCents: z.number().int(),
      highCents: z.number().int(),
      withinMiles: z.number().int(),
    })
    .nullable(),
});
export type PriceRange = z.infer<typeof priceRangeReply>['priceRange'];

/** Only if no tool matched `q`: the corrected words that were searched for. */
const searchedFor = z.string().optional();
export const rentalsReply = z.object({ rentals: z.array(tool), nextCursor, searchedFor });
export const nearReply = z.object({ nearby: z.array(tool), nextCursor, searchedFor });
export const toolReply = z.object({ tool: z.array(tool).length(1) });
export const toolSavedReply = z.object({ message: z.string(), rental: tool });

export const categoryBody = fields({ name: text('a name', 60) });
export const categoriesReply = z.object({ allCategories: z.array(category) });
export const categorySavedReply = z.object({ message: z.string(), category });
export const catalogStatsReply = z.object({ total: z.number().int(), listings: perDay });
