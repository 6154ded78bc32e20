import { useEffect, useEffectEvent, useRef } from 'react';
import { locate, locationFailed } from '../../lib/locate.ts';
import { type MyPlace, rememberPlace, useRememberedPlace } from '../../lib/my-place.ts';
import { toastError } from '../../ui/toast.ts';

/** The stored place or, if `wanted`, the browser's location. `onMissing` must reset `wanted`, to stop retries. */
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
