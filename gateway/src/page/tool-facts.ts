import { endpoints, imageWidth, pages, routes, tool, id as toolId } from '@lendtools/contracts';
import { AppError } from '@lendtools/service-kit';
import { z } from 'zod';
import type { BriefCall } from './brief-call.ts';
import type { PageFacts } from './head-tags.ts';
import { ourPicture } from './public-pages.ts';

const longestText = 200;

/** Requires only the fields that the page needs, so that replies of other catalog versions are accepted too. */
const reply = z.object({
  tool: z
    .array(
      tool
        .pick({
          id: true,
          name: true,
          description: true,
          price: true,
          rental_circle: true,
          item_status: true,
          rating: true,
          reviewCount: true,
          cover_image: true,
        })
        .extend({
          category: z.object({ name: z.string() }),
          user: z.object({ city: z.string(), state: z.string() }),
        }),
    )
    .length(1),
});
type SharedTool = z.infer<typeof reply>['tool'][number];

type FoundFacts = { facts: PageFacts } | 'missing' | 'unknown';

const beginningOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= longestText) return line;
  const cut = line
    .slice(0, longestText)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), 0)) || cut;
  return `${words}…`;
};

const pictureOf = ({ name, cover_image }: SharedTool) =>
  // The API writes a missing picture as the text "null". Accept only a path of our own pictures.
  cover_image.startsWith(endpoints.images)
    ? { path: imageWidth(cover_image, 1280), words: name }
    : ourPicture;

const factsOf = (shared: SharedTool, origin: string): PageFacts => {
  const { id, name, price, rental_circle, user, category, rating, reviewCount, cover_image } =
    shared;
  const address = pages.ofId(pages.tool, id);
  const image = pictureOf(shared);
  const period = rental_circle === 'hourly' ? 'an hour' : 'a day';
  const offer = `$${price.toFixed(2)} ${period} in ${user.city}, ${user.state}.`;
  const state = shared.item_status === 'Available' ? 'InStock' : 'OutOfStock';
  return {
    title: `${name} · LendTools`,
    name,
    description: beginningOf(`${offer} ${shared.description}`),
    address,
    image,
    type: 'product',
    first: { heading: name, cover: image === ourPicture ? undefined : cover_image },
    data: {
      '@type': 'Product',
      name,
      description: beginningOf(shared.description),
      sku: id,
      category: category.name,
      image: [origin + image.path],
      ...(reviewCount > 0 && {
        aggregateRating: { '@type': 'AggregateRating', ratingValue: rating, reviewCount },
      }),
      offers: {
        '@type': 'Offer',
        price: price.toFixed(2),
        priceCurrency: 'USD',
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          price: price.toFixed(2),
          priceCurrency: 'USD',
          unitCode: rental_circle === 'hourly' ? 'HUR' : 'DAY',
        },
        businessFunction: 'http://purl.org/goodrelations/v1#LeaseOut',
        availability: `https://schema.org/${state}`,
        url: origin + address,
      },
    },
  };
};

/** Reads a tool from the catalog service. Returns `unknown` if the service does not answer in time. */
export const findTool = async (
  brief: BriefCall,
  wanted: string,
  origin: string,
): Promise<FoundFacts> => {
  const id = toolId.safeParse(wanted);
  if (!id.success) return 'missing';
  try {
    const found = await brief({ ...routes.getTool, reply }, { params: { id: id.data } });
    return found ? { facts: factsOf(found.tool[0] as SharedTool, origin) } : 'unknown';
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return 'missing';
    return 'unknown';
  }
};
