import { internalRoutes } from '@lendtools/contracts';
import { call } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { describeMatters } from '../domain/deletion.ts';

const timeoutMs = 5_000;

/** Reads from bookings and payments what blocks the deletion. @throws AppError 503 if one is unavailable */
export const findOpenMatters = async (
  { bookings, payments, internalSecret: token }: Deps,
  userId: string,
): Promise<{ path: string; msg: string }[]> => {
  const options = { params: { userId }, token, timeoutMs };
  const [openBookings, openMoney] = await Promise.all([
    call(bookings, internalRoutes.openBookings, options),
    call(payments, internalRoutes.openMoney, options),
  ]);
  return describeMatters({ ...openBookings, ...openMoney });
};
