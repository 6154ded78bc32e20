import type { Terms } from '@lendtools/contracts';

export const imageFields = ['cover_image', 'image1', 'image2', 'image3', 'image4'] as const;
export type ImageField = (typeof imageFields)[number];
/** Changed pictures; null clears a field. */
export type ImageChanges = Partial<Record<ImageField, string | null>>;

export interface ToolFields {
  name: string;
  description: string;
  priceCents: number;
  rentalCircle: 'hourly' | 'daily';
  categoryId: string;
  units: number;
  terms: Terms | null;
}

/** A tool's own pick-up place; null for its owner's place. */
export type PickUp = { lat: number; lng: number; zip: string } | null;
