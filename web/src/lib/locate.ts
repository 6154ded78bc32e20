const options: PositionOptions = { enableHighAccuracy: true, timeout: 100_000 };

/** The browser's location. Rejects with the browser's own message. */
export function locate(): Promise<{ lat: number; lng: number }> {
  return new Promise((resolve, reject) => {
    if (!navigator.geolocation) {
      reject(new Error('this browser has no location'));
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lng: coords.longitude }),
      ({ message }) => reject(new Error(message)),
      options,
    );
  });
}

export function locationFailed(error: unknown) {
  return `Location access failed: ${error instanceof Error ? error.message : 'unknown'}`;
}
