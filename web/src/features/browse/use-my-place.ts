import { useEffect, useEffectEvent, useRef } from 'react';
import { locate, locationFailed } from '../../lib/locate.ts';
import { type MyPlace, rememberPlace, useRememberedPlace } from '../../lib/my-place.ts';
import { toastError } from '../../ui/toast.ts';

/**
 * Where the reader is: as remembered, or from the browser once it is needed. A refusal is shown. `onMissing` hears of
 * it, and of a place that is forgotten while it is wanted: it ends the wanting, and nothing asks again before.
 */
export function useMyPlace(wanted: boolean, onMissing: () => void): MyPlace | null {
  const place = useRememberedPlace();
  const missing = useEffectEvent(onMissing);
  const wasThere = useRef(false);
  useEffect(() => {
    const isForgotten = wasThere.current && !place;
    wasThere.current = wanted && place !== null;
    if (!wanted || place) return;
    if (isForgotten) return missing();
    let current = true;
    locate().then(
      (found) => current && rememberPlace(found),
      (error: unknown) => {
        if (!current) return;
        toastError(locationFailed(error));
        missing();
      },
    );
    return () => {
      current = false;
    };
  }, [wanted, place]);
  return place;
}
