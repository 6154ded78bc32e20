import { useEffect, useState } from 'react';

/** A URL that shows a file that the user chose; null without a file. */
export function useObjectUrl(file: File | null): string | null {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return setShown(null);
    const url = URL.createObjectURL(file);
    setShown(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return shown;
}
