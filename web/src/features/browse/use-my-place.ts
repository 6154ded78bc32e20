import { useEffect } from 'react';
import { locate, locationFailed } from '../../lib/locate.ts';
import { type MyPlace, rememberPlace, useRememberedPlace } from '../../lib/my-place.ts';
import { toastError } from '../../ui/toast.ts';

/** Where the reader is: as remembered, or asked of the browser once it is wanted. A refusal is told and reported to `onFail`. */
export function useMyPlace(wanted: boolean, onFail: () => void): MyPlace | null {
  const place = useRememberedPlace();
  useEffect(() => {
    if (!wanted || place) return;
    let current = true;
    locate().then(
      (found) => current && rememberPlace(found),
      (error: unknown) => {
        if (!current) return;
        toastError(locationFailed(error));
        onFail();
      },
    );
    return () => {
      current = false;
    };
  }, [wanted, place, onFail]);
  return place;
}
