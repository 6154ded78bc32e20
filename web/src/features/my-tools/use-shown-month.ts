import { useSearchParams } from 'react-router-dom';

export function isShowable(month: string) {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(month);
}

/** The month and, on a phone, the tool are stored in the URL, so that Back from a booking restores them. */
export function useShownMonth(today: string) {
  const [params, setParams] = useSearchParams();
  const month = params.get('month') ?? '';
  const set = (name: 'month' | 'tool', value: string) =>
    setParams(
      (now) => {
        now.set(name, value);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    month: isShowable(month) ? month : today.slice(0, 7),
    toolId: params.get('tool') ?? '',
    setMonth: (next: string) => {
      if (isShowable(next)) set('month', next);
    },
    setTool: (id: string) => set('tool', id),
  };
}
