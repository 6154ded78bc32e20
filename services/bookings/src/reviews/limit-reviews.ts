import { scaled } from '@lendtools/service-kit';

/** Reviews and replies are limited, because each is stored and shown to others. */
export const reviewsAnHour = (factor: number) => ({
  kind: 'reviews',
  limit: scaled(60, factor),
  windowSeconds: 3_600,
  rejection: 'You have changed your reviews many times.',
});
