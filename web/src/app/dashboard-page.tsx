import { lazy } from 'react';
import UserDashboardPage from '../features/browse/user-dashboard-page.tsx';
import { afterFirstPaint } from '../lib/after-first-paint.ts';
import { Part } from '../ui/part.tsx';

const TodayStrip = lazy(async () => {
  await afterFirstPaint();
  return import('../features/bookings/today-strip.tsx');
});

/** The tools to rent, below what an owner has to do today. */
export default function DashboardPage() {
  return (
    <>
      <Part>
        <TodayStrip />
      </Part>
      <UserDashboardPage />
    </>
  );
}
