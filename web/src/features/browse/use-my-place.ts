import { useEffect, useState } from 'react';
import { toastError } from '../../ui/toast.ts';

export interface Place {
  lat: number;
  lng: number;
}

const locateOptions: PositionOptions = { enableHighAccuracy: true, timeout: 100_000 };

/** Asks the browser where it is, once it is wanted; a refusal is told and reported to `onFail`. */
export function useMyPlace(wanted: boolean, onFail: () => void): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    if (!wanted || place) return;
    let current = true;
    const fail = (reason: string) => {
      if (!current) return;
      toastError(`Location access failed: ${reason}`);
      onFail();
    };
    if (!navigator.geolocation) {
      fail('this browser has no location');
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => current && setPlace({ lat: coords.latitude, lng: coords.longitude }),
      ({ message }) => fail(message),
      locateOptions,
    );
    return () => {
      current = false;
    };
  }, [wanted, place, onFail]);
  return place;
}
