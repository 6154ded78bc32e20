import type { Tool } from '@lendtools/contracts';

export const imageFields = ['cover_image', 'image1', 'image2', 'image3', 'image4'] as const;
export type ImageFieldName = (typeof imageFields)[number];

export interface ToolValues {
  name: string;
  description: string;
  categoryId: string;
  rental_circle: Tool['rental_circle'];
  price: number | '';
  quantity: number | '';
  images: Record<ImageFieldName, File | null>;
  /** Stored pictures that are to go. */
  removed: ImageFieldName[];
}

const noImages: ToolValues['images'] = {
  cover_image: null,
  image1: null,
  image2: null,
  image3: null,
  image4: null,
};

export function toValues(tool: Tool | null): ToolValues {
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    categoryId: tool?.categoryId ?? '',
    rental_circle: tool?.rental_circle ?? 'daily',
    price: tool?.price ?? '',
    quantity: tool?.quantity ?? 1,
    images: noImages,
    removed: [],
  };
}

/** The contract's rules in its words, asked here already so that nobody waits for an upload to hear them. */
export const rules = {
  name: (name: string) => (name.trim() ? null : 'Please enter a name'),
  description: (text: string) => (text.trim() ? null : 'Please enter a description'),
  categoryId: (id: string) => (id ? null : 'Please choose a category'),
  price: (price: number | '') =>
    !price
      ? 'Please enter a price in dollars'
      : price > 100_000
        ? 'The price can be at most $100,000'
        : null,
  quantity: (quantity: number | '') => (quantity ? null : 'You need at least one unit'),
};

/** The multipart form of the documented call. */
export function toFormData(values: ToolValues): FormData {
  const form = new FormData();
  form.set('name', values.name.trim());
  form.set('description', values.description.trim());
  form.set('categoryId', values.categoryId);
  form.set('rental_circle', values.rental_circle);
  form.set('price', String(values.price));
  form.set('quantity', String(values.quantity));
  form.set('item_status', 'Available');
  for (const field of imageFields) {
    const file = values.images[field];
    if (file) form.set(field, file);
  }
  for (const field of values.removed) form.append('removeImages', field);
  return form;
}
