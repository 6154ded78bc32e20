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
  /** A tool that is Unavailable only because of its bookings may still be paid for; this one may not. */
  ownerDisabled: z.boolean().optional(),
  /** Null for none, without the notes. Replicas of the previous version omit it, and the stored terms stay. */
  terms: terms.nullable().optional(),
});

const category = z.object({ categoryId: id, name: z.string(), image: z.string() });

export const toolListed = tool;
export const toolUpdated = tool;
export const toolRemoved = z.object({ toolId: id, ownerId: id });
export const categoryAdded = category;
export const categoryUpdated = category;
export const categoryRemoved = z.object({ categoryId: id });
