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
   * True if the tool is Unavailable because its owner is disabled or LendTools hid the tool. Such a tool
   * cannot be paid for, unlike a tool that is Unavailable because it is booked.
   */
  ownerDisabled: z.boolean(),
  /** Null if there are no terms. The notes of blocked days are left out. */
  terms: terms.nullable(),
});

const category = z.object({ categoryId: id, name: z.string(), image: z.string() });

export const toolListed = tool;
export const toolUpdated = tool;
export const toolRemoved = z.object({ toolId: id, ownerId: id });
export const categoryAdded = category;
export const categoryUpdated = category;
export const categoryRemoved = z.object({ categoryId: id });
