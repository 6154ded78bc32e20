import { z } from 'zod';
import { itemStatus, rentalCircle } from '../api/catalog.ts';
import { id } from '../api/common.ts';
import { terms } from '../api/terms.ts';

const tool = z.object({
  toolId: id,
  ownerId: id,
  categoryId: id,
  name: z.string(),
  description: z.string(),
  priceCents: z.number().int(),
  rentalCircle,
  status: itemStatus,
  units: z.number().int(),
  timeZone: z.string(),
  coverImage: z.string(),
  /**
   * Distinguishes why a tool is Unavailable: one that only has bookings may still be paid for, but not one whose
   * owner is disabled.
   */
  ownerDisabled: z.boolean().optional(),
  /** Null for no terms; without the notes. Replicas of the previous version omit it: keep the stored terms then. */
  terms: terms.nullable().optional(),
});

const category = z.object({ categoryId: id, name: z.string(), image: z.string() });

export const toolListed = tool;
export const toolUpdated = tool;
export const toolRemoved = z.object({ toolId: id, ownerId: id });
export const categoryAdded = category;
export const categoryUpdated = category;
export const categoryRemoved = z.object({ categoryId: id });
