import { laterDay } from '@lendtools/contracts/local-time';
import { useSearchParams } from 'react-router-dom';

export function isShowable(day: string) {
  return /^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
}

/** The first shown day is stored in the URL, so that Back from a booking restores it. */
export function useShownDays(today: string, count: number) {
  const [params, setParams] = useSearchParams();
  const from = params.get('from') ?? '';
  const first = isShowable(from) ? from : today;
  return {
    days: Array.from({ length: count }, (_, i) => laterDay(first, i)),
    show: (day: string) => {
      if (!isShowable(day)) return;
      const setFrom = (now: URLSearchParams) => {
        now.set('from', day);
        return now;
      };
      setParams(setFrom, { replace: true, preventScrollReset: true });
    },
  };
}
