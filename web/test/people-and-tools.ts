import type { Review, Tool } from '@lendtools/contracts';
import type { SessionUser } from '../src/api/session-slice.ts';

export const rita: SessionUser = {
  id: '0190c000-0000-7000-8000-000000000002',
  role: 'User',
  first_name: 'Rita',
  last_name: 'Lopez',
  email: 'rita@example.com',
  image: 'null',
};

/** A tool: Sam's hammer drill, $12 a day in Portland. */
export function buildTool(overrides: Partial<Tool> = {}): Tool {
  return {
    id: '0190b000-0000-7000-8000-000000000001',
    name: 'Hammer drill',
    description: 'Drills stone as if it were cheese.',
    price: 12,
    rental_circle: 'daily',
    item_status: 'Available',
    rating: 4.5,
    reviewCount: 2,
    quantity: 2,
    categoryId: '0190a000-0000-7000-8000-000000000001',
    category: { id: '0190a000-0000-7000-8000-000000000001', name: 'Power tools' },
    userId: '0190c000-0000-7000-8000-000000000001',
    user: {
      id: '0190c000-0000-7000-8000-000000000001',
      first_name: 'Sam',
      last_name: 'Okafor',
      country: 'United States',
      state: 'Oregon',
      city: 'Portland',
      address: null,
      emailVerified: false,
    },
    cover_image: '/api/images/tools-ab-640.webp',
    image: '/api/images/tools-ab-640.webp',
    image1: '/api/images/tools-cd-640.webp',
    image2: 'null',
    image3: 'null',
    image4: 'null',
    timeZone: 'America/Los_Angeles',
    placeAccuracy: 'area',
    pickup: null,
    terms: null,
    distance: null,
    createdAt: '2026-10-01T00:00:00.000Z',
    ...overrides,
  };
}

export function buildReview(): Review {
  return {
    id: '0190f100-0000-7000-8000-000000000001',
    comment: 'Went through the wall at once.',
    rating: 5,
    rental_id: buildTool().id,
    rentalBookings: { id: '0190d000-0000-7000-8000-000000000009' },
    user: { first_name: 'Kim', last_name: 'N.', city: 'Salem', image: 'null' },
    createdAt: '2026-10-12T10:00:00.000Z',
  };
}
