import { z } from 'zod';
import { bounded, fields, id } from '../api/common.ts';

export const byId = fields({ id });
export const byUser = fields({ userId: id });
export const byUserAndId = fields({ userId: id, id });

const noPicture = 'This is not the name of a picture';
export const imageName = fields({
  name: bounded(42, noPicture).regex(/^[a-f0-9]{32}-(320|640|1280)\.webp$/, noPicture),
});
export const image = z.string().meta({ format: 'binary', description: 'A WebP picture' });

/** The codes with which a rental is rejected because of the owner's terms. */
export const termsErrors = [
  'DATES_BLOCKED',
  'DATES_CLOSED',
  'DATES_TOO_SOON',
  'PERIOD_TOO_SHORT',
  'PERIOD_TOO_LONG',
] as const;
