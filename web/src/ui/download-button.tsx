import { Button, type ButtonProps } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { errorMessage } from '../api/error-message.ts';
import { saveAddress } from '../lib/save-file.ts';
import { toastError } from './toast.ts';

interface DownloadButtonProps extends ButtonProps {
  /** The button's text. `name` says which file it is: the accessible name is both. */
  label: string;
  name: string;
  fileName: string;
  /** Returns the object URL of the file. */
  load: () => PromiseLike<{ data?: string; error?: unknown }>;
}

export function DownloadButton({ label, name, fileName, load, ...button }: DownloadButtonProps) {
  const [isLoading, setIsLoading] = useState(false);
  const save = async () => {
    setIsLoading(true);
    const { data, error } = await load();
    setIsLoading(false);
    if (!data) return toastError(errorMessage(error));
    saveAddress(fileName, data);
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      {...button}
      aria-label={`${label} ${name}`}
      loading={isLoading}
      onClick={() => void save()}
    >
      {label}
    </Button>
  );
}
