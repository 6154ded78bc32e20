import { z } from 'zod';
import { perDay } from './accounts.ts';
import {
  dollars,
  id,
  imagePath,
  longText,
  nextCursor,
  numeric,
  page,
  text,
  words,
} from './common.ts';

export const rentalCircle = z.enum(['hourly', 'daily']);
export const itemStatus = z.enum(['Available', 'Unavailable']);

export const category = z.object({ id, name: z.string(), image: imagePath });
export type Category = z.infer<typeof category>;

/** The owner as others see them; `address` is for the owner and admins. A paid booking carries it for its renter. */
export const toolOwner = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  country: z.string(),
  state: z.string(),
  city: z.string(),
  address: z.string().nullable(),
});

export const tool = z.object({
  id,
  name: z.string(),
  description: z.string(),
  price: z.number(),
  rental_circle: rentalCircle,
  item_status: itemStatus,
  /** 0 to 5, the mean of the reviews; 0 without any. */
  rating: z.number(),
  reviewCount: z.number().int(),
  /** Units that the owner has. */
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
  /** IANA zone of the tool's place. */
  timeZone: z.string(),
  /** Miles from the asked place, one decimal; null when no place was asked. */
  distance: z.number().nullable(),
  createdAt: z.iso.datetime(),
});
export type Tool = z.infer<typeof tool>;

export const toolImages = ['cover_image', 'image1', 'image2', 'image3', 'image4'] as const;

const toolFields = {
  name: text('a name', 120),
  description: longText('a description', 4000),
  price: dollars,
  rental_circle: rentalCircle,
  categoryId: id,
  quantity: numeric(
    z.number('Please enter how many you have').int().min(1, 'You need at least one unit').max(50),
  ),
};

/** `item_status` is documented and ignored: a new tool is Available. */
export const addRentalBody = z.object({
  ...toolFields,
  rental_circle: rentalCircle.default('daily'),
  quantity: toolFields.quantity.default(1),
});

/** Saving makes the tool Available again, as does re-listing. `removeImages` names image fields to empty. */
export const updateRentalBody = z.object({
  ...z.object(toolFields).partial().shape,
  removeImages: z
    .union([z.array(z.enum(toolImages)), z.enum(toolImages).transform((name) => [name])])
    .optional(),
});

export const sort = z.enum(['newest', 'price', 'rating', 'distance']);
const search = {
  ...page,
  q: words.optional(),
  category: id.optional(),
  sort: sort.optional(),
};
const place = {
  lat: numeric(z.number().min(-90).max(90)),
  lng: numeric(z.number().min(-180).max(180)),
  /** Miles; the screen offers 1, 5, 10, 15 and 20. */
  radius: numeric(z.number().positive().max(50)),
};
export const rentalsQuery = z.object({ ...search, ...z.object(place).partial().shape });
export const nearQuery = z.object({ ...search, ...place });

export const rentalsReply = z.object({ rentals: z.array(tool), nextCursor });
export const nearReply = z.object({ nearby: z.array(tool), nextCursor });
export const toolReply = z.object({ tool: z.array(tool).length(1) });
export const toolSavedReply = z.object({ message: z.string(), rental: tool });

export const categoryBody = z.object({ name: text('a name', 60) });
export const categoriesReply = z.object({ allCategories: z.array(category) });
export const categorySavedReply = z.object({ message: z.string(), category });
export const catalogStatsReply = z.object({ total: z.number().int(), listings: perDay });
